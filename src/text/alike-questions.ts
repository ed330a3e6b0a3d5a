import { wordTokens } from './analyze'
import { FIGURE } from './asked'
import { foldText } from './fold'
import type { Phrasing } from './phrasings'
import type { Reader } from './question-reader'
import { readClause } from './read-clause'

/** Two questions that are so alike, and name the same things, are one. */
export const SAME_QUESTION = 0.6

/** How alike two questions are said: of all words of both, the share that both have, 0 to 1 (Jaccard). */
export function alikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  // A message may have thousands of words, a way to ask has few.
  if (one.size > other.size) return alikeness(other, one)
  let shared = 0
  for (const token of one) if (other.has(token)) shared++
  return shared === 0 ? 0 : shared / (one.size + other.size - shared)
}

/** Questions of small words alone ("what's all this") are one when hardly one is another. */
const SAME_SMALL_WORDS = 0.7

/** Whether what asks with small words alone is one of them, word for word or nearly so. */
export function isPhrasing(message: string, { text }: Phrasing, reader: Reader): boolean {
  const plain = plainOf(message)
  if (plain === '') return false
  if (plain === plainOf(text)) return true
  return (
    alikeness(smallWords(plain), smallWords(text)) >= SAME_SMALL_WORDS && namesNothing(text, reader)
  )
}

const namesNothing = (text: string, reader: Reader): boolean =>
  readClause(text, reader).terms.every(({ weight }) => weight < FIGURE)

/** In scripts without spaces single signs: a word in their midst would change the pairs around it. */
const smallWords = (text: string): ReadonlySet<string> =>
  new Set(wordTokens(text, 'english').filter((token) => !PAIR.test(token)))

const PAIR = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}$/u

const plainOf = (text: string): string =>
  foldText(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
