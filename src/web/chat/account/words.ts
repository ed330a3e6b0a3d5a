import type { Language } from '../../../config/names'
import { createTranslate, type Translate } from '../../kit/i18n'
import { isolating } from '../../kit/isolate'
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
  return isolating(lang, createTranslate<AccountKey>(lang, messages))
}
