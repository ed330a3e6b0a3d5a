import type { Language } from '../../config'
import type en from './locales/en.json'

export type Messages = typeof en
export type MessageKey = keyof Messages
type Parameters = Record<string, string | number>

/** Looks up the words of the active language. `n` chooses the plural form and is written in the language's digits. */
export type Translate<K extends string = MessageKey> = (key: K, parameters?: Parameters) => string

export interface Locale {
  lang: Language
  dir: 'ltr' | 'rtl'
  t: Translate
  time: (at: number) => string
  day: (at: number) => string
  number: (n: number) => string
}

/** Looks words up in the file of one language. */
export function createTranslate<K extends string>(
  lang: Language,
  messages: Record<K, string | Record<string, string>>,
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

/** Builds the locale of one loaded language file. */
export function createLocale(lang: Language, messages: Messages): Locale {
  const numbers = new Intl.NumberFormat(lang)
  const days = new Intl.DateTimeFormat(lang, { dateStyle: 'medium' })
  const times = new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit' })
  return {
    lang,
    dir: lang === 'ar' ? 'rtl' : 'ltr',
    t: createTranslate<MessageKey>(lang, messages),
    time: (at) => times.format(at),
    day: (at) => days.format(at),
    number: (n) => numbers.format(n),
  }
}

/** Fetches a language file; the browser has it already when the page preloaded it. */
export async function loadLocale(
  lang: Language,
  addresses: Record<Language, string>,
): Promise<Locale> {
  const response = await fetch(addresses[lang])
  if (!response.ok) throw new Error(`locale ${lang}: ${response.status}`)
  return createLocale(lang, (await response.json()) as Messages)
}
