const ALLOWED = new Set(['http:', 'https:', 'mailto:'])
const MAX_LENGTH = 2048
/** Tabs, line breaks and other controls are dropped by URL parsers, so they could hide a scheme from a reader. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/

/**
 * The address of a link in a reply or a source, or null when it must stay plain text: only absolute http, https and
 * mailto, without credentials in front of the host (which dress one host up as another).
 */
export function safeHref(raw: string): string | null {
  const trimmed = raw.trim()
  if (trimmed === '' || trimmed.length > MAX_LENGTH || CONTROL.test(trimmed)) return null
  if (!/^[a-z][a-z0-9+.-]*:/i.test(trimmed)) return null
  if (!URL.canParse(trimmed)) return null
  const url = new URL(trimmed)
  if (!ALLOWED.has(url.protocol)) return null
  if (url.username !== '' || url.password !== '') return null
  return url.href
}

/** Splits an address that was typed into running text from the punctuation and text that follows it. */
export function splitBareUrl(text: string): { url: string; rest: string } {
  const wide = text.search(/[\s<>"“”‘’«»、。，；：！？（）【】「」『』《》]/)
  let end = wide === -1 ? text.length : wide
  while (end > 0) {
    const last = text[end - 1] ?? ''
    if (last === ')' && count(text.slice(0, end), '(') >= count(text.slice(0, end), ')')) break
    if (!/[.,;:!?'*_~)\]}]/.test(last)) break
    end--
  }
  // A citation that follows without a space belongs to the sentence, not to the address.
  const mark = text.slice(0, end).search(/\[\d{1,3}(\]|$)/)
  if (mark !== -1) end = mark
  return { url: text.slice(0, end), rest: text.slice(end) }
}

function count(text: string, char: string): number {
  return text.split(char).length - 1
}
