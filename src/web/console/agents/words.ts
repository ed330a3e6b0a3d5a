import type { Translate } from '../../kit/i18n'
import { LANGUAGES } from '../../kit/prefs'
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

/** The words of a screen that has more than the others: both files come at once. */
export const withOwn = (own: WordFiles): WordFiles =>
  Object.fromEntries(
    LANGUAGES.map(([lang]) => [
      lang,
      async () => {
        const [shared, more] = await Promise.all([words[lang](), own[lang]()])
        return { default: { ...shared.default, ...(more.default as object) } }
      },
    ]),
  ) as WordFiles

export const useAgentWords = (): AgentWords => useWords<AgentKey>()
