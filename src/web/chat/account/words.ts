import type { Language } from '../../../config/names'
import { createTranslate, type Translate } from '../../kit/i18n'
import type en from './locales/en.json'

type Messages = typeof en
export type AccountKey = keyof Messages
export type AccountTranslate = Translate<AccountKey>

const FILES: Record<Language, () => Promise<{ default: unknown }>> = {
  en: () => import('./locales/en.json'),
  zh: () => import('./locales/zh.json'),
  'zh-TW': () => import('./locales/zh-TW.json'),
  es: () => import('./locales/es.json'),
  ru: () => import('./locales/ru.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
}

/** The account's words of one language; they are loaded with it, not with the page. */
export async function loadAccountWords(lang: Language): Promise<AccountTranslate> {
  const messages = (await FILES[lang]()).default as Messages
  const translate = createTranslate<AccountKey>(lang, messages)
  return lang === 'ar' ? (key, values) => translate(key, isolate(values)) : translate
}

/** Names in another script keep their own direction, and the marks around them theirs. */
function isolate(values: Record<string, string | number> = {}): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? `\u2068${value}\u2069` : value,
    ]),
  )
}
