export interface MonthName {
  /** 1 to 12. */
  month: number
  /** The language writes it with a capital. */
  capital: boolean
  /** "Dec", "janv.": three letters may be another word. */
  short: boolean
}

/** Where a language's months differ by country, each of their names. */
const LOCALES: Readonly<Record<string, readonly string[]>> = {
  ar: ['ar', 'ar-SY', 'ar-MA'],
  de: ['de', 'de-AT'],
  en: ['en', 'en-GB'],
}

const known = new Map<string, ReadonlyMap<string, MonthName>>()

/** The names of the months in a language, by the keys of their words. */
export function monthNames(
  code: string,
  keyOf: (word: string) => string,
): ReadonlyMap<string, MonthName> {
  let names = known.get(code)
  if (names === undefined) {
    names = readNames(LOCALES[code] ?? [code], keyOf)
    known.set(code, names)
  }
  return names
}

function readNames(
  locales: readonly string[],
  keyOf: (word: string) => string,
): Map<string, MonthName> {
  const names = new Map<string, MonthName>()
  for (const month of ['long', 'short'] as const)
    for (const locale of locales) {
      const format = new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' })
      for (let at = 0; at < 12; at++) {
        const name = format.format(Date.UTC(2024, at, 1)).replace(/\.$/u, '')
        const key = name.split(' ').map(keyOf).join(' ')
        if (names.has(key)) continue
        names.set(key, {
          month: at + 1,
          capital: /^\p{Lu}/u.test(name),
          short: month === 'short',
        })
      }
    }
  return names
}
