import type { Translate } from '../../kit/i18n'
import { lateWords } from '../ui/late-words'
import type en from './locales/en.json'

type GuideKey = keyof typeof en
export type GuideTranslate = Translate<GuideKey>

/** The words for what leads through a conversation. */
export const useGuideWords = lateWords<GuideKey>({
  en: () => import('./locales/en.json'),
  zh: () => import('./locales/zh.json'),
  'zh-TW': () => import('./locales/zh-TW.json'),
  es: () => import('./locales/es.json'),
  ru: () => import('./locales/ru.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
})
