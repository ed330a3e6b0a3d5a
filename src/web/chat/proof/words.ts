import type { Translate } from '../../kit/i18n'
import { lateWords } from '../ui/late-words'
import type en from './locales/en.json'

type ProofKey = keyof typeof en
export type ProofTranslate = Translate<ProofKey>

/** The words for what an answer rests on. */
export const useProofWords = lateWords<ProofKey>({
  en: () => import('./locales/en.json'),
  zh: () => import('./locales/zh.json'),
  'zh-TW': () => import('./locales/zh-TW.json'),
  es: () => import('./locales/es.json'),
  ru: () => import('./locales/ru.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
})
