const LINK_SCHEMES = new Set(['http', 'https', 'mailto'])
const NAMED: Record<string, string> = {
  colon: ':',
  tab: '',
  newline: '',
  amp: '&',
  sol: '/',
  bsol: '\\',
  lpar: '(',
  rpar: ')',
  period: '.',
  num: '#',
}
/** Stands for this origin when a path is resolved; never sent anywhere. */
const HERE = 'https://here.invalid'

/** The address that a renderer would make of a markdown destination: entities and escapes undone, no white space. */
function decode(destination: string): string {
  return destination
    .replace(/^<|>$/gu, '')
    .replaceAll(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,10}));?/giu,
      (whole, decimal, hex, name) => {
        if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
        return code <= 0x10ffff ? String.fromCodePoint(code) : ''
      },
    )
    .replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1')
    .replaceAll(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}

/** Whether a link may lead there: http, https, mailto, or a place of this origin. */
export function isAllowedLink(destination: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/iu.exec(decode(destination))?.[1]
  return scheme === undefined || LINK_SCHEMES.has(scheme.toLowerCase())
}

/** Whether an image may come from there: it resolves to somewhere below one of the prefixes (each ends with `/`). */
export function isAllowedImage(destination: string, prefixes: readonly string[]): boolean {
  const address = parse(decode(destination))
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
