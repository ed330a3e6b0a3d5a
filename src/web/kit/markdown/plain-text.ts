import { dereference } from './references'

/** A reply as words to be read aloud or copied into a text file: Markdown's signs and citation marks removed. */
export function plainText(markdown: string): string {
  return dereference(markdown)
    .replace(/^(?:```|~~~).*$/gm, '')
    .replace(/!?\[([^\]\n]{0,500})\]\([^)\n]{0,2100}\)/g, '$1')
    .replace(/ ?\[\d{1,3}\]/g, '')
    .replace(/^[ \t]*(#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+/gm, '')
    .replace(/^[ \t:|-]{3,}$/gm, '')
    .replace(/^[ \t]*\|(.*)/gm, (_, cells: string) =>
      cells.trimEnd().replace(/\|$/, '').split('|').map(trim).join(', '),
    )
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(^|[\s(])[*_]([^*_\n]+)[*_](?=[\s).,;:!?]|$)/g, '$1$2')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim()
}

function trim(text: string): string {
  return text.trim()
}
