import { lateWords } from '../ui/late-words'
import type en from './locales/en.json'

type VoiceKey = keyof typeof en

/** The words around a question that is spoken. */
export const useVoiceWords = lateWords<VoiceKey>({
  en: () => import('./locales/en.json'),
  zh: () => import('./locales/zh.json'),
  'zh-TW': () => import('./locales/zh-TW.json'),
  es: () => import('./locales/es.json'),
  ru: () => import('./locales/ru.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
})
