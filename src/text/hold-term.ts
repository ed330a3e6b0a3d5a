import type { IdfTable } from '../knowledge/types'
import { thesaurusOf } from '../language/thesaurus'
import { alikeness } from './alike-questions'
import { detectMode, pairTokens, wordToken, wordTokens } from './analyze'
import { type AskedClause, type AskedTerm, SAME_MEANING, SAME_WORD, UNSPACED } from './asked'
import type { LatinMode } from './latin-language'
import type { Holder } from './passage-reading'
import { readerFor } from './question-reader'
import { idfOf } from './term-weights'

/** The tokens of words that people use for a token of this text, by its language; none for one that has no such words. */
export function readOtherWords(text: string): (token: string) => readonly string[] {
  const { code, mode } = readerFor(text)
  const { synonyms, kin } = thesaurusOf(code)
  return (token) =>
    [...(synonyms.get(token) ?? []), ...(kin.get(token) ?? [])].flatMap((other) =>
      tokensOfStem(other, mode),
    )
}

/** Stems are tokens already. */
const tokensOfStem = (stem: string, mode: LatinMode): string[] =>
  UNSPACED.test(stem) ? tokensOf(stem, mode) : [stem]

/** How well a set of tokens holds a term, 0 to 1. */
export type Holds = (tokens: Holder) => number

/** Reads a term once for all the passages of a mode. */
export function holder({ words, parts, synonyms, kin }: AskedTerm, mode: LatinMode): Holds {
  const wanted: [number, string[]][] = [
    ...words.map((word, at): [number, string[]] => [
      at === 0 ? 1 : SAME_WORD,
      tokensOf(word, mode),
    ]),
    ...parts.map((word): [number, string[]] => [SAME_MEANING, tokensOf(word, mode)]),
    ...[...synonyms, ...kin].map((stem): [number, string[]] => [
      SAME_MEANING,
      tokensOfStem(stem, mode),
    ]),
  ]
  return (tokens) => {
    let best = 0
    for (const [counts, word] of wanted) {
      if (counts <= best) break
      const found = word.filter((token) => tokens.has(token)).length / word.length
      if (found >= 0.5) best = Math.max(best, found * counts)
    }
    return best
  }
}

/**
 * How alike questions are said to one of these, 0 to 1, where words that mean the same as a term are that term.
 * @param asked tokens of each way in which the user asks
 */
export function likenessTo(
  asked: readonly ReadonlySet<string>[],
  terms: readonly AskedTerm[],
  mode: LatinMode,
): (question: ReadonlySet<string>) => number {
  const names = new Map<string, string>()
  for (const { words, synonyms, kin, unspaced } of terms) {
    if (unspaced) continue
    const all = [...words.map((word) => wordToken(word, mode)), ...synonyms, ...kin]
    for (const one of all) if (!names.has(one)) names.set(one, all[0] ?? one)
  }
  const rename = (tokens: ReadonlySet<string>) =>
    new Set([...tokens].map((token) => names.get(token) ?? token))
  const ways = asked.map(rename)
  return (question) => {
    const renamed = rename(question)
    return Math.max(...ways.map((way) => alikeness(way, renamed)))
  }
}

/** A word's tokens in the word index; a long run of unspaced script is held by its pairs. */
function tokensOf(word: string, mode: LatinMode): string[] {
  if (!UNSPACED.test(word)) return [wordToken(word, mode)]
  return [...word].length === 1
    ? [word]
    : pairTokens(word).filter((token) => [...token].length === 2)
}

/** A term is looked for in every sentence of a search's passages, by several steps of an answer. */
const holders = new WeakMap<AskedTerm, Map<LatinMode, Holds>>()

export function holds(term: AskedTerm, tokens: Holder, mode: LatinMode): number {
  const known = holders.get(term) ?? new Map<LatinMode, Holds>()
  holders.set(term, known)
  const hold = known.get(mode) ?? holder(term, mode)
  known.set(mode, hold)
  return hold(tokens)
}

export const MIN_RARITY = 0.25

/** Each term's weight, less where half of the base holds it; small bases know nothing about words, so never nothing. */
export function clauseWeights({ terms }: AskedClause, idf: IdfTable): number[] {
  return terms.map((term) => {
    const tokens = wordTokens(term.text, 'english').concat(
      term.unspaced ? [] : [wordToken(term.text, detectMode(term.text))],
    )
    const weight = Math.max(...tokens.map((token) => idfOf(idf, token)), 0)
    return term.weight * Math.max(MIN_RARITY, Math.min(1, weight / Math.max(idf.rest, 0.001)))
  })
}
