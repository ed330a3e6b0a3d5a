import type { Language } from '../../config/names'

type Parameters = Record<string, string | number>

/** Looks up the words of the active language. `n` chooses the plural form and is written in the language's digits. */
export type Translate<K extends string> = (key: K, parameters?: Parameters) => string

/** The file of one language. */
export type Messages<K extends string> = Record<K, string | Record<string, string>>

/** Looks words up in the file of one language. */
export function createTranslate<K extends string>(
  lang: Language,
  messages: Messages<K>,
): Translate<K> {
  const plurals = new Intl.PluralRules(lang)
  const numbers = new Intl.NumberFormat(lang)
  return (key, parameters = {}) => {
    const entry = messages[key]
    const pattern =
      typeof entry === 'string'
        ? entry
        : (entry[plurals.select(Number(parameters.n ?? 0))] ?? entry.other ?? '')
    return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = parameters[name]
      if (value === undefined) return whole
      return typeof value === 'number' ? numbers.format(value) : value
    })
  }
}
