import { useEffect, useState } from 'preact/hooks'
import type { Language } from '../../../config/names'
import { createTranslate, type Messages, type Translate } from '../../kit/i18n'
import { useLocale } from './context'

export type WordFiles = Record<Language, () => Promise<{ default: unknown }>>

/**
 * The words of a part that is loaded late, in the page's language and loaded with it; null until they are there.
 * @returns the hook that the part's components read them by.
 */
export function lateWords<Key extends string>(files: WordFiles): () => Translate<Key> | null {
  const loaded = new Map<Language, Translate<Key>>()
  const load = async (lang: Language): Promise<Translate<Key>> => {
    const words = createTranslate<Key>(lang, (await files[lang]()).default as Messages<Key>)
    loaded.set(lang, words)
    return words
  }
  return function useWords() {
    const { lang } = useLocale()
    const [words, setWords] = useState<Translate<Key> | null>(() => loaded.get(lang) ?? null)
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
}
