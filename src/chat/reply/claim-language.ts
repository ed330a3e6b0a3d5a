import { languageOf, latinLanguage, lexiconOf, plainWord } from './lexicon'
import type { Token } from './tokens'

/** The language that a text tells: a few words have too few small ones for more than a guess at English. */
export const toldBy = (text: string, own: string | null): string | null => {
  if (own !== 'en') return own
  const words = wordsOf(text).filter((word) => word.length > 1)
  return latinLanguage([...new Set(words)]) ?? own
}

export const isJapanese = (text: string): boolean => languageOf(text, () => 'english') === 'ja'

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Words of a Chinese sentence that Japanese does not write. */
const CHINESE = /[这這们們吗嗎呢您你说说请对這该个沒没很]/u

/** Whether a text has neither kana nor words of Chinese: names in a table are the same in both. */
export const isHanAlone = (text: string): boolean => {
  const sample = text.slice(0, TELLING)
  return !KANA.test(sample) && !CHINESE.test(sample)
}

/** Signs of a text that tell its language, if it has words of one at all. */
const TELLING = 1_000

const wordsOf = (text: string): string[] =>
  (text.slice(0, TELLING).match(/(?<!\/)[\p{L}\p{M}]+/gu) ?? []).map(plainWord)

export const latinLanguageOf = (text: string): string | null => latinLanguage(wordsOf(text))

/**
 * Whether a claim is in the passage's language. A few words without any small one are in no other; with a single one they are
 * in the dialogue's.
 */
export function speaks(
  claim: string,
  tokens: readonly Token[],
  language: string | null,
  spoken: string | null,
): boolean {
  const own = languageOf(claim, () => 'english')
  if (language === null || own === null) return true
  if (own !== 'en')
    return own === language || (isHan(own) && isHan(language) && language !== 'ja' && own !== 'ja')
  if (isWide(language) || language === 'ru' || language === 'ar') return false
  const words = tokens.filter((token) => token.kind === 'word').map((token) => token.word)
  const latin = latinLanguage(words)
  if (latin !== null) return latin === language
  const small = (code: string) => {
    const lexicon = lexiconOf(code)
    return words.filter(
      (word, at) => lexicon?.functionWords.has(word) || lexicon?.forceAt(words, at),
    ).length
  }
  return spoken === null || spoken === language || small(spoken) <= small(language)
}

const isHan = (language: string) => language === 'zh' || language === 'ja'

const isWide = isHan
