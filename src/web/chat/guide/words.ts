import { useEffect, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { createTranslate, type Translate } from '../../kit/i18n'
import { useLocale } from '../ui/context'
import type en from './locales/en.json'

type Messages = typeof en
export type GuideTranslate = Translate<keyof Messages>

const FILES: Record<Language, () => Promise<{ default: unknown }>> = {
  en: () => import('./locales/en.json'),
  zh: () => import('./locales/zh.json'),
  'zh-TW': () => import('./locales/zh-TW.json'),
  es: () => import('./locales/es.json'),
  ru: () => import('./locales/ru.json'),
  fr: () => import('./locales/fr.json'),
  ar: () => import('./locales/ar.json'),
}

const loaded = new Map<Language, GuideTranslate>()

/** The words of this part in the page's language; they are loaded with it. Null until they are there. */
export function useGuideWords(): GuideTranslate | null {
  const { lang } = useLocale()
  const [words, setWords] = useState<GuideTranslate | null>(() => loaded.get(lang) ?? null)
  useEffect(() => {
    let current = true
    load(lang).then(
      (translate) => {
        if (current) setWords(() => translate)
      },
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [lang])
  return words
}

async function load(lang: Language): Promise<GuideTranslate> {
  const translate = createTranslate<keyof Messages>(lang, (await FILES[lang]()).default as Messages)
  loaded.set(lang, translate)
  return translate
}
