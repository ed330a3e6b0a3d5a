/** Overrides of the writing direction can make a text or an address read as another; the softer marks stay. */
const OVERRIDES = /[\u202D\u202E\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu

const byName = (names: string): Map<string, string> =>
  new Map(names.split(' ').map((name) => [name.slice(0, -1), name.slice(-1)]))

/** Characters by the names that are written for them; letters with an accent are named by both. */
const NAMED = byName(
  'amp& lt< gt> quot" apos\' nbsp\u00a0 ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” bdquo„ laquo« raquo» bull• middot· hellip… euro€ pound£ yen¥ cent¢ sect§ copy© reg® trade™ deg° plusmn± minus− times× divide÷ frac14¼ frac12½ frac34¾ sup2² sup3³ iexcl¡ iquest¿ szlig\u00df oslash\u00f8 larr← rarr→ infin∞ ne≠ le≤ ge≥',
)
const ACCENTS = byName(
  'grave\u0300 acute\u0301 circ\u0302 tilde\u0303 uml\u0308 ring\u030a cedil\u0327',
)

function named(name: string): string | undefined {
  const accent = ACCENTS.get(name.slice(1))
  return accent ? `${name[0]}${accent}`.normalize() : NAMED.get(name)
}

const REFERENCE = /&(?:([a-z]{2,6}[1-4]{0,2})|#(\d{1,6}|x[\da-f]{1,5}));/gi

/** Text as its writer meant it to be read, without direction overrides and invisible tag characters. */
export const withoutOverrides = (text: string): string => text.replace(OVERRIDES, '')

/**
 * A text with the characters that are meant in it by name or number, overrides among them left out; not for code, which
 * means what it says.
 */
export const dereference = (text: string): string =>
  withoutOverrides(
    text.replace(REFERENCE, (all, name?: string, number?: string) =>
      name ? (named(name) ?? all) : String.fromCodePoint(Number(`0${number}`)),
    ),
  )
