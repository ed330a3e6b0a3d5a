import type { Language } from '../../config/names'
import { createTranslate, type Translate } from '../kit/i18n'
import type en from './locales/en.json'

export type Messages = typeof en
export type MessageKey = keyof Messages
export interface Locale {
  lang: Language
  dir: 'ltr' | 'rtl'
  t: Translate<MessageKey>
  time: (at: number) => string
  day: (at: number) => string
  number: (n: number) => string
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
