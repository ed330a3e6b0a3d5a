/** Stands for this origin when a path is resolved; never sent anywhere. */
const HERE = 'https://here.invalid'

/** Schemes that links may have, and addresses that have none: no renderer can make another of what they decode. */
const LINK =
  /^(?:https?:|mailto:|[^:&\\\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*(?:[/?#]|$))/iu

/** Whether a link may lead there: http, https, mailto, or a place of this origin. */
export function isAllowedLink(destination: string): boolean {
  return LINK.test(destination)
}

/** Whether an image may come from there: it resolves to somewhere below one of the prefixes (each ends with `/`). */
export function isAllowedImage(destination: string, prefixes: readonly string[]): boolean {
  // Escapes and entities change no more than the query.
  if (/[\\&]/u.test(destination.replace(/[?#].*$/su, ''))) return false
  const address = parse(destination)
  return (
    address !== null &&
    prefixes.some((prefix) => {
      const allowed = parse(prefix)
      return allowed !== null && address.href.startsWith(allowed.href) && prefix.endsWith('/')
    })
  )
}

function parse(address: string): URL | null {
  const url = URL.parse(address, HERE)
  return url !== null &&
    /^https?:$/u.test(url.protocol) &&
    url.username === '' &&
    url.password === ''
    ? url
    : null
}
