import type { Translate } from '../../../kit/i18n'
import { allOf, useWords } from '../../words'
import { type StoryKey, words as shared } from '../words'
import type en from './locales/en.json'

export type ListKey = StoryKey | keyof typeof en

/** Those of all screens of the area, and its own. */
export const words = allOf(shared, {
  en: () => import('./locales/en.json'),
  zh: () => import('./locales/zh.json'),
  'zh-TW': () => import('./locales/zh-TW.json'),
  es: () => import('./locales/es.json'),
  ru: () => import('./locales/ru.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
})

export const useListWords = (): Translate<ListKey> => useWords<ListKey>()
