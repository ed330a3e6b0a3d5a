const MAX_LENGTH = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** What is no part of a host name but would pass through a URL parser: separators, ports, credentials, blanks, escapes. */
const FOREIGN = /[\s\p{Cc}/\\:@?#%[\]*]/u

/** The host name in small letters and A-labels without its last dot, or null when the text is none. Pure. */
export function toAscii(text: string): string | null {
  if (text.length === 0 || text.length > 4 * MAX_LENGTH || FOREIGN.test(text)) return null
  const host = URL.parse(`http://${text}/`)?.hostname.replace(/\.$/, '')
  if (!host || host.length > MAX_LENGTH) return null
  const labels = host.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) ? host : null
}
