import {
  fuse,
  fusionWeights,
  RERANKED,
  rerank,
  type Scored,
  sortScored,
  topScore,
  type Weights,
  withLikeness,
} from '../../src/knowledge/fusion'
import type { Vector } from '../../src/knowledge/quantize'
import {
  analyzeQuery,
  buildMatch,
  dropFrequent,
  dropFrequentKnown,
  type Frequencies,
  type QueryTerms,
  termsAsked,
  termWeight,
} from '../../src/knowledge/query-terms'
import { type WeighedTerms, weighSketch, weighTerms } from '../../src/knowledge/sketch'
import { detectMode } from '../../src/text/analyze'
import { readOtherWords } from '../../src/text/hold-term'
import type { ChunkStore } from './chunk-store'
import { compareLetters } from './compare-letters'
import { likeQuestions } from './like-questions'
import type { Tables } from './tables'
import type { TermStatistics } from './term-statistics'

/** In scripts without spaces a word gives about four terms: its two characters, and their pairs with the neighbours. */
const TERMS_PER_WORD = 4
/** Passages that each of the three lists contributes. */
const LIST_LENGTH = 100
/** Words of a question that the base lacks and for which other words are tried, at the most. */
const MAX_ABSENT = 8
/** A question with a term in more passages than this is put to the index itself: such a term is asked only where there is no other. */
const WIDEST = 10_000

export interface RankedRow {
  row: number
  score: number
  coverage: number
  /** Null where the passage has no vector of the question's embedder. */
  cosine: number | null
}

/** A question's vector by a trained embedder, with the visible rows that a vector index outside the object found. */
export interface QuestionVector {
  embedder: string
  values: Vector
  nearest: readonly Scored[] | null
}

/**
 * What the base's lists say of a question, before they are weighed against each other: the index by words and that by
 * letters (in scripts without spaces: by signs and their pairs, and by words).
 */
export interface Lists {
  question: QueryTerms
  frequencies: Frequencies
  words: Scored[]
  letters: Scored[]
  /** By a trained embedder; empty without one. */
  nearest: Scored[]
  query: string
  closer: CloserLook
}

/**
 * The base's visible passages for a question, best first, `RERANKED` of them or `wanted` if that is more: both lexical lists
 * and the vector list fused by weight, then ordered by how much of the question one sentence holds.
 */
export function rankPassages(
  tables: Tables,
  query: string,
  vector: QuestionVector | null,
  wanted = RERANKED,
): RankedRow[] {
  const lists = readLists(tables, query, vector)
  return rankLists(tables, lists, weigh(tables, lists), wanted)
}

/** How much each list counts: the fewer of the question's words are found, the more its meaning (the vector list). */
export function weigh(
  tables: Pick<Tables, 'chunks' | 'vectors' | 'versions'>,
  lists: Lists,
): Weights {
  const byWords = fusionWeights(null)
  if (lists.nearest.length === 0) return byWords
  const best = Math.max(0, ...rankLists(tables, lists, byWords).map(({ coverage }) => coverage))
  const { words, unspaced } = lists.question
  return fusionWeights((best * words.length) / (unspaced ? TERMS_PER_WORD : 1))
}

export function readLists(tables: Tables, query: string, vector: QuestionVector | null): Lists {
  const { terms, versions } = tables
  const question = analyzeQuery(query, versions.modesFor(detectMode(query)))
  const tokens = question.words.flat()
  const frequencies = terms.lookUpWords(tokens)
  const ofLetters = terms.frequentLetters()
  const asked = termsAsked(question, dropFrequentKnown(tokens, frequencies), frequencies)
  const words = [...asked.tokens, ...wordsInstead(terms, query, tokens, frequencies)]
  const letters = dropFrequent(question.letters, ofLetters)
  return {
    question,
    frequencies,
    words: askLexical(tables, 'kb_a', frequencies, words, asked.phrases),
    letters: askLexical(tables, 'kb_b', ofLetters, letters),
    nearest: vector ? findNearest(tables, vector) : [],
    query,
    closer: new CloserLook(tables.chunks, asked.words, frequencies),
  }
}

/** Synonyms that the base does have, for words of a question that it has nowhere. */
function wordsInstead(
  terms: TermStatistics,
  query: string,
  tokens: readonly string[],
  known: Frequencies,
): string[] {
  const absent = tokens.filter((token) => known.of(token) === 0).slice(0, MAX_ABSENT)
  if (absent.length === 0) return []
  const others = [...new Set(absent.flatMap(readOtherWords(query)))]
  const frequencies = terms.lookUpWords(others)
  return others.filter((token) => frequencies.of(token) > 0)
}

/** @param weights those of `weigh`, or others, to be measured */
export function rankLists(
  tables: Pick<Tables, 'chunks' | 'vectors' | 'versions'>,
  lists: Lists,
  weights: Weights,
  wanted = RERANKED,
): RankedRow[] {
  const { question, closer, words, letters, nearest, query } = lists
  const fused = fuse([
    { items: words, weight: weights.words },
    { items: letters, weight: weights.letters },
    { items: spread(nearest), weight: weights.vector },
  ]).slice(0, Math.max(wanted, RERANKED))
  const rows = fused.map((one) => one.row)
  const near = nearest.length > 0 ? [] : compareLetters(tables, query, rows)
  return lookClosely(closer, fused, question, near, nearest, () =>
    likeQuestions(tables.chunks, query, rows),
  )
}

/** The passages that a lexical index ranks highest, with their scores. */
function askLexical(
  tables: Tables,
  index: 'kb_a' | 'kb_b',
  frequencies: Frequencies,
  tokens: readonly string[],
  phrases: readonly (readonly [string, string])[] = [],
): Scored[] {
  const { scores, versions } = tables
  const isKept =
    tokens.every((token) => frequencies.of(token) <= WIDEST) && scores[index].isWorthIt()
  const quoted = phrases.map((phrase) => buildMatch([], [phrase]))
  const kept = isKept
    ? scores[index].best(tokens, quoted, LIST_LENGTH, (row) => versions.isVisible(row))
    : null
  return kept ?? matchIndex(tables, index, buildMatch(tokens, phrases))
}

function matchIndex({ sql, versions }: Tables, index: 'kb_a' | 'kb_b', match: string): Scored[] {
  if (match === '') return []
  const hidden = [...versions.hidden()]
  const visible =
    hidden.length > 0 ? 'AND (rowid >> 20) NOT IN (SELECT value FROM json_each(?))' : ''
  const rows = sql.exec<{ row: number; s: number }>(
    `SELECT rowid AS row, bm25(${index}, 2.0, 1.0) AS s FROM ${index}
     WHERE ${index} MATCH ? ${visible} ORDER BY s, rowid LIMIT ${LIST_LENGTH}`,
    match,
    ...(hidden.length > 0 ? [JSON.stringify(hidden)] : []),
  )
  return rows.toArray().map(({ row, s }) => ({ row, score: -s }))
}

function findNearest({ versions, vectors }: Tables, vector: QuestionVector): Scored[] {
  if (vector.nearest) return [...vector.nearest]
  return vectors.nearest(vector.embedder, vector.values, LIST_LENGTH, (row) =>
    versions.isVisible(row),
  )
}

/** Cosines of one list lie close together, so divided by their maximum all would be near one: most of the lowest is taken off. */
function spread(nearest: readonly Scored[]): Scored[] {
  const lowest = 0.9 * Math.min(...nearest.map((one) => one.score))
  return nearest.map(({ row, score }) => ({ row, score: score - lowest }))
}

/** How much of a question each passage holds, remembered: lists that are ranked by several weights look at a passage once. */
class CloserLook {
  readonly #chunks: ChunkStore
  readonly #terms: WeighedTerms
  readonly #seen = new Map<number, ReturnType<typeof weighSketch>>()

  constructor(chunks: ChunkStore, words: QueryTerms['words'], frequencies: Frequencies) {
    const { passages } = frequencies
    this.#chunks = chunks
    this.#terms = weighTerms(words, (token) => termWeight(passages, frequencies.of(token)))
  }

  /** By row; rows that are gone are left out. */
  at(rows: readonly number[]): ReadonlyMap<number, ReturnType<typeof weighSketch>> {
    const unseen = rows.filter((row) => !this.#seen.has(row))
    if (unseen.length > 0) {
      for (const [row, sketch] of this.#chunks.readSketches(unseen))
        this.#seen.set(row, weighSketch(sketch, this.#terms))
    }
    return this.#seen
  }
}

function lookClosely(
  closer: CloserLook,
  fused: readonly Scored[],
  question: QueryTerms,
  near: readonly Scored[],
  nearest: readonly Scored[],
  likeness: () => ReadonlyMap<number, number>,
): RankedRow[] {
  const looks = closer.at(fused.map((one) => one.row))
  const alike = likeness()
  const nearness = new Map(near.map((one) => [one.row, one.score]))
  const closest = topScore(near)
  const cosines = new Map(nearest.map((one) => [one.row, one.score]))
  const ranked: RankedRow[] = []
  for (const { row, score } of fused) {
    const look = looks.get(row)
    if (!look) continue
    const { coverage, sentence } = look
    const share = closest > 0 ? Math.max(nearness.get(row) ?? 0, 0) / closest : 0
    ranked.push({
      row,
      score: withLikeness(rerank(score, sentence, share), alike.get(row) ?? 0),
      // In scripts without spaces terms are single characters, of which a long passage holds nearly any: the best sentence counts half.
      coverage: question.unspaced ? (coverage + sentence) / 2 : coverage,
      cosine: cosines.get(row) ?? null,
    })
  }
  return sortScored(ranked)
}
