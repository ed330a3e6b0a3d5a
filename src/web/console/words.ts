import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Language } from '../../config/names'
import { createTranslate, type Messages, type Translate } from '../kit/i18n'
import { isolating } from '../kit/isolate'
import { LANGUAGES } from '../kit/prefs'
import { createFormat, type Format } from './format'
import { loadLate } from './load-late'
import type en from './locales/en.json'

export type WordFiles = Record<Language, () => Promise<{ default: unknown }>>
export type ShellKey = keyof typeof en

export interface ShellWords {
  t: Translate<ShellKey>
  format: Format
}

export const ShellContext = createContext<ShellWords | null>(null)
/** The words of the screen that is shown; the shell has them loaded before it shows the screen. */
export const ScreenContext = createContext<Translate<string> | null>(null)

const loaded = new Map<() => Promise<{ default: unknown }>, Translate<string>>()

/** The words of a folder's files in one language, loaded once. Rejects where they cannot be fetched. */
export async function loadWords(files: WordFiles, lang: Language): Promise<Translate<string>> {
  const file = files[lang]
  const known = loaded.get(file)
  if (known) return known
  const words = createTranslate<string>(lang, (await loadLate(file)).default as Messages<string>)
  const translate = isolating(lang, words)
  loaded.set(file, translate)
  return translate
}

/** Words of several folders as one: their files come at once. */
export const allOf = (...parts: readonly WordFiles[]): WordFiles =>
  Object.fromEntries(
    LANGUAGES.map(([lang]) => [
      lang,
      async () => {
        const files = await Promise.all(parts.map((part) => part[lang]()))
        return { default: Object.assign({}, ...files.map((file) => file.default)) }
      },
    ]),
  ) as WordFiles

/** The words of the current screen's folder. */
export function useWords<Key extends string>(): Translate<Key> {
  const words = useContext(ScreenContext)
  if (words === null) throw new Error('no words: not within a screen')
  return words as Translate<Key>
}

/** The words that all screens share. */
export const useShell = (): Translate<ShellKey> => useWordsOfShell().t

/** Dates, numbers and sizes in the reader's language. */
export const useFormat = (): Format => useWordsOfShell().format

function useWordsOfShell(): ShellWords {
  const words = useContext(ShellContext)
  if (words === null) throw new Error('no words: not within the shell')
  return words
}

export function createShellWords(lang: Language, messages: Messages<ShellKey>): ShellWords {
  return {
    t: isolating(lang, createTranslate<ShellKey>(lang, messages)),
    format: createFormat(lang),
  }
}
