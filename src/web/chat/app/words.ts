import { lateWords } from '../ui/late-words'
import type en from './locales/en.json'

export type LateKey = keyof typeof en

/** The words for what comes after the page itself. */
export const useLateWords = lateWords<LateKey>({
  en: () => import('./locales/en.json'),
  zh: () => import('./locales/zh.json'),
  'zh-TW': () => import('./locales/zh-TW.json'),
  es: () => import('./locales/es.json'),
  ru: () => import('./locales/ru.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
})
