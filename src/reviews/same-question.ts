import type { AskedKind } from '../language/pack'
import { detectMode, pairTokens, wordToken } from '../text/analyze'
import type { AskedTerm } from '../text/asked'
import type { LatinMode } from '../text/latin-language'
import { readQuestion } from '../text/question'
import { isNegated } from '../text/read-clause'

/** A question reduced to what it asks about, so that two can be compared. */
export interface QuestionKey {
  /** Words, and pairs of characters where words have no spaces; politeness and question forms are left out. */
  words: readonly string[]
  pairs: readonly string[]
  /** A short question hardly shows its language, so two are compared in the language of either. */
  mode: LatinMode
  numbers: string
  /** When, where, who, how much, why, not: what turns the same words into another question. */
  asks: string
}

/** Dice's coefficient of the topics: when one question says all that the other says, and when each says something else. */
const ENLARGED = 0.7
const REWORDED = 0.86
/** Trained embedders put a paraphrase above this and a neighbour below. */
const SAME_COSINE = 0.92
const TYPO_LENGTH = 6

/** What turns the same words into another question; how it is put ("how do I", "can I") does not. */
const TELLING: readonly AskedKind[] = ['time', 'place', 'person', 'number', 'reason']

/** Reads a question for comparison. Pure; works on any script that the knowledge bases index. */
export function analyzeQuestion(question: string): QuestionKey {
  const clauses = readQuestion(question)
  const terms = clauses.flatMap((clause) => clause.terms)
  const isNumber = ({ text }: AskedTerm) => /^\p{N}/u.test(text)
  const asks = new Set(clauses.flatMap(({ kinds }) => [...kinds]))
  return {
    words: terms.filter((term) => !term.unspaced && !isNumber(term)).map(({ text }) => text),
    pairs: terms.filter(({ unspaced }) => unspaced).flatMap(({ text }) => pairsOf(text)),
    mode: detectMode(question),
    numbers: [...new Set(terms.filter(isNumber).map(({ text }) => text))].sort().join(' '),
    asks: [
      ...TELLING.filter((kind) => asks.has(kind)),
      ...(isNegated(question) ? ['not'] : []),
    ].join(' '),
  }
}

/** Pairs of characters; a single character stands for itself. */
function pairsOf(run: string): string[] {
  const pairs = pairTokens(run).filter((token) => [...token].length > 1)
  return pairs.length > 0 || run === '' ? pairs : [run]
}

/**
 * Whether two questions ask the same: about the same numbers, in the same sense, and in nearly the same words once
 * politeness and form are off, or near by a trained embedder.
 * @param cosine of their vectors, null where there are none.
 */
export function isSameQuestion(
  one: QuestionKey,
  other: QuestionKey,
  cosine: number | null,
): boolean {
  if (one.numbers !== other.numbers || one.asks !== other.asks) return false
  if (cosine !== null && cosine >= SAME_COSINE) return true
  return [...new Set([one.mode, other.mode])].some((mode) =>
    isSameTopic(topicOf(one, mode), topicOf(other, mode)),
  )
}

const topicOf = ({ words, pairs }: QuestionKey, mode: LatinMode) =>
  new Set([...pairs, ...words.map((word) => wordToken(word, mode))])

function isSameTopic(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size === 0 || other.size === 0) return false
  const shared = countShared(one, other)
  const dice = (2 * shared) / (one.size + other.size)
  const enlarged = shared === Math.min(one.size, other.size)
  return dice >= (enlarged ? ENLARGED : REWORDED)
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const rest = new Set(other)
  let shared = 0
  const unmatched: string[] = []
  for (const token of one) {
    if (rest.delete(token)) shared++
    else unmatched.push(token)
  }
  for (const token of unmatched) {
    const typo = [...rest].find((candidate) => isTypo(token, candidate))
    if (typo !== undefined && rest.delete(typo)) shared++
  }
  return shared
}

/** One letter more, less or other, behind the first one of a long word. */
function isTypo(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (short.length < TYPO_LENGTH || long.length - short.length > 1) return false
  if (short.charAt(0) !== long.charAt(0)) return false
  let at = 0
  while (at < short.length && short.charAt(at) === long.charAt(at)) at++
  const [restShort, restLong] = [short.slice(at), long.slice(at + 1)]
  return short.length === long.length ? restShort.slice(1) === restLong : restShort === restLong
}
