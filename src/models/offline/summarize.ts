import { wordTokens } from '../../text/analyze'
import { type Sentence, sentences } from '../../text/sentences'

const TITLE_CHARS = 60
const TITLE_WIDE_CHARS = 24
const SUMMARY_SENTENCES = 6
const SUMMARY_INPUT_CHARS = 60_000

/** A title from the first words of a text: at most 60 characters (24 in Chinese or Japanese), without end punctuation. */
export function titleOf(text: string): string {
  const first = sentences(text.slice(0, 500))[0]?.text ?? ''
  const plain = first.replaceAll(/\s+/gu, ' ').replace(/^[#>*+\-\s¿¡]+/u, '')
  const limit = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(plain)
    ? TITLE_WIDE_CHARS
    : TITLE_CHARS
  const bare = plain.replace(/[\s.,;:!?。，；：！？…؟،]+$/u, '')
  const characters = [...bare]
  if (characters.length <= limit) return bare
  const cut = characters.slice(0, limit).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/[\s.,;:，；：、]+$/u, '')}…`
}

/** An extractive summary: the sentences that share most with the rest of the text, in reading order. */
export function summaryOf(text: string, count = SUMMARY_SENTENCES): string {
  const all = sentences(text.slice(-SUMMARY_INPUT_CHARS))
  if (all.length <= count) return all.map((one) => one.text).join(' ')
  const words = all.map((one) => new Set(wordTokens(one.text)))
  const frequency = new Map<string, number>()
  for (const set of words)
    for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  // A word said once connects nothing, and a word in most sentences is a function word.
  const weight = (word: string) => {
    const n = frequency.get(word) ?? 0
    return n < 2 || n > all.length / 2 ? 0 : Math.log(n)
  }
  const score = (index: number) => {
    const set = words[index] ?? new Set<string>()
    return [...set].reduce((sum, word) => sum + weight(word), 0) / Math.sqrt(set.size + 1)
  }
  const ranked = all.map((sentence, index) => ({ sentence, score: score(index) }))
  ranked.sort((x, y) => y.score - x.score || x.sentence.start - y.sentence.start)
  return ranked
    .slice(0, count)
    .map((one): Sentence => one.sentence)
    .sort((x, y) => x.start - y.start)
    .map((one) => one.text.replaceAll(/\s+/gu, ' '))
    .join(' ')
}
