const ENTITIES: Record<string, string> = {
  '&nbsp;': ' ',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** A link whose text is code alone. */
const CODE_LINK = /!?\[(`[^`[\]]+`)\](?:\([^()\s]{0,1000}\)|\[[^[\]]*\])?/g

/**
 * Takes the markup out of a line of Markdown: links and images become their text, emphasis and tags go. Code stays as it is,
 * between single backticks, by which an answer knows it for code.
 */
export function stripInlineMarkdown(source: string): string {
  const parts = source.replace(CODE_LINK, '$1').split(/`+/)
  // Every second part is code, unless a last backtick has no partner.
  const closed = parts.length % 2 === 1
  return parts
    .map((part, i) => {
      if (i % 2 === 0 || !(closed || i < parts.length - 1)) return stripText(part)
      return part.trim() === '' ? part : `\`${part.trim()}\``
    })
    .join('')
}

/** The same for a heading or a title: names without marks. */
export const stripHeading = (source: string): string =>
  stripInlineMarkdown(source).replaceAll('`', '')

/** Each pattern stops at its own opening character, so that no input makes it try the same text twice. */
function stripText(source: string): string {
  return source
    .replace(/!?\[([^[\]]*)\]\((?:[^()]|\([^()]*\)){0,1000}\)/g, '$1')
    .replace(/!?\[([^[\]]+)\]\[[^[\]]*\]/g, '$1')
    .replace(/<(https?:\/\/[^<>\s]+|[^<>\s@]+@[^<>\s@]+)>/g, '$1')
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<!--[^<]*-->|<\/?[A-Za-z][^<>]*>/g, '')
    .replace(/\*\*|~~/g, '')
    .replace(/(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])/g, '')
    .replace(/(?<!\w)__?(?=\S)|(?<=\S)__?(?!\w)/g, '')
    .replace(/&(?:nbsp|amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
