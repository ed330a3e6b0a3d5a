import type { Translate } from '../../kit/i18n'
import { useWords, type WordFiles } from '../words'
import type en from './locales/en.json'

export type AgentKey = keyof typeof en
export type AgentWords = Translate<AgentKey>

export const words = {
  en: () => import('./locales/en.json'),
  zh: () => import('./locales/zh.json'),
  'zh-TW': () => import('./locales/zh-TW.json'),
  es: () => import('./locales/es.json'),
  ru: () => import('./locales/ru.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
} satisfies WordFiles

export const useAgentWords = (): AgentWords => useWords<AgentKey>()
