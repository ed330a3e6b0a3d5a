import type { IdfTable } from '../knowledge/types'
import { detectMode, tokensA, tokensB } from './analyze'
import type { LatinMode } from './latin-language'
import { type Sentence, sentences } from './sentences'

/** A sentence of a passage, cut and tokenised once. Offsets count within the passage's text. */
export interface AnalyzedSentence extends Sentence {
  a: Set<string>
  b: Set<string>
  /** How the passage's Latin words were stemmed: a question must be stemmed the same way to be compared. */
  mode: LatinMode
}

/** Cuts a passage into sentences and tokenises each. */
export function analyzeSentences(text: string, mode = detectMode(text)): AnalyzedSentence[] {
  return sentences(text).map((sentence) => ({
    ...sentence,
    a: new Set(tokensA(sentence.text, mode)),
    b: new Set(tokensB(sentence.text)),
    mode,
  }))
}

/** The A-tokens of a text in each mode asked for, computed once. */
export function tokensByMode(text: string): (mode: LatinMode) => Set<string> {
  const known = new Map<LatinMode, Set<string>>()
  return (mode) => {
    let tokens = known.get(mode)
    if (tokens === undefined) {
      tokens = new Set(tokensA(text, mode))
      known.set(mode, tokens)
    }
    return tokens
  }
}

/** Weight of an A-token in its base. */
export function idfOf(idf: IdfTable, token: string): number {
  return Object.hasOwn(idf.common, token) ? (idf.common[token] ?? idf.rest) : idf.rest
}

export function unite<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): Set<T> {
  return new Set([...one, ...other])
}

/** One table for several bases: the mean weight of the tables; a token that a table lacks has its `rest` there. */
export function mergeIdf(tables: IdfTable[]): IdfTable {
  const [first] = tables
  if (first === undefined) return { common: {}, rest: 1 }
  if (tables.length === 1) return first
  const mean = (value: (table: IdfTable) => number) =>
    tables.reduce((sum, table) => sum + value(table), 0) / tables.length
  const common: Record<string, number> = {}
  for (const token of tables.flatMap((table) => Object.keys(table.common)))
    common[token] ??= mean((table) => idfOf(table, token))
  return { common, rest: mean((table) => table.rest) }
}

/** Share of the wanted tokens' weight that is found, 0 to 1; 0 when nothing is wanted. */
export function weightShare(
  wanted: Iterable<string>,
  found: ReadonlySet<string>,
  weigh: (token: string) => number,
): number {
  let all = 0
  let hit = 0
  for (const token of wanted) {
    const weight = weigh(token)
    all += weight
    if (found.has(token)) hit += weight
  }
  return all === 0 ? 0 : hit / all
}

/**
 * Scores sentences against a question, 0 to 1: the mean of the shares of the question's A- and B-tokens. A tokens weigh
 * their idf in the base times their rarity among these sentences, B tokens their rarity alone: what every candidate
 * says does not tell them apart. (The recipe's sentence step; the local factor adds 1 to 3 points of answer hits.)
 */
export function scoreSentences(
  question: string,
  candidates: readonly AnalyzedSentence[],
  idf: IdfTable,
): number[] {
  const a = tokensByMode(question)
  const b = new Set(tokensB(question))
  const rareA = rarity(candidates.map((candidate) => candidate.a))
  const rareB = rarity(candidates.map((candidate) => candidate.b))
  const weighA = (token: string) => idfOf(idf, token) * rareA(token)
  return candidates.map(
    ({ mode, ...found }) =>
      (weightShare(a(mode), found.a, weighA) + weightShare(b, found.b, rareB)) / 2,
  )
}

function rarity(sets: readonly ReadonlySet<string>[]): (token: string) => number {
  const counts = new Map<string, number>()
  for (const set of sets) for (const token of set) counts.set(token, (counts.get(token) ?? 0) + 1)
  return (token) => Math.log(1 + (sets.length + 0.5) / ((counts.get(token) ?? 0) + 0.5))
}
