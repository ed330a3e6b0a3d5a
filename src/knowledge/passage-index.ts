import { LATIN_MODES, type LatinMode } from '../text/latin-language'
import { fuse, fusionWeights, RERANKED, rerank, type Scored, sortScored } from './fusion'
import { preparePassage } from './prepare-passage'
import {
  analyzeQuery,
  inverseFrequency,
  type QueryTerms,
  termsAsked,
  termWeight,
} from './query-terms'
import { weighSketch, weighTerms } from './sketch'
import type { Chunk, IdfTable } from './types'

/** Hashes of one index's tokens with how often each is there; a title's tokens count twice. */
interface TokenCounts {
  hashes: Uint32Array
  counts: Uint8Array
  length: number
}

/** A passage prepared for a search that scans them all: no token is kept, only hashes and the sketch. */
export interface IndexedPassage {
  mode: LatinMode
  words: TokenCounts
  letters: TokenCounts
  sketch: Uint8Array
}

/** Frequent tokens of the word index, each with the number of these passages that have it. */
export type CommonTokens = [token: string, passages: number][]

export interface RankedPassage {
  at: number
  score: number
  /** Share of the question's weight found in the passage, 0 to 1. */
  coverage: number
}

const TITLE_WEIGHT = 2
const MAX_COUNT = 255
const COMMON_TOKENS = 400
/** The usual constants of BM25. */
const K1 = 1.2
const B = 0.75
const LIST_LENGTH = 100

/** Prepares a chunk as a base does (see `preparePassage`), for a search without tables. */
export function indexPassage(
  title: string,
  chunk: Pick<Chunk, 'text' | 'heading' | 'phrasings'>,
): { passage: IndexedPassage; tokens: Set<string> } {
  const { mode, words, letters, sketch } = preparePassage(title, chunk)
  const tokens = new Set(`${words.title} ${words.body}`.split(' ').filter(Boolean))
  return {
    passage: { mode, words: countTokens(words), letters: countTokens(letters), sketch },
    tokens,
  }
}

function countTokens({ title, body }: { title: string; body: string }): TokenCounts {
  const counts = new Map<number, number>()
  let length = 0
  for (const [text, weight] of [
    [title, TITLE_WEIGHT],
    [body, 1],
  ] as const) {
    for (const token of text.split(' ')) {
      if (token === '') continue
      length += 1
      const hash = hash32(token)
      counts.set(hash, (counts.get(hash) ?? 0) + weight)
    }
  }
  return {
    hashes: Uint32Array.from(counts.keys()),
    counts: Uint8Array.from(counts.values(), (count) => Math.min(MAX_COUNT, count)),
    length,
  }
}

/** The most frequent tokens of some passages, for `idfOfPassages`. */
export function countCommon(tokenSets: readonly ReadonlySet<string>[]): CommonTokens {
  const counts = new Map<string, number>()
  for (const set of tokenSets)
    for (const token of set) counts.set(token, (counts.get(token) ?? 0) + 1)
  return [...counts].sort((one, other) => other[1] - one[1]).slice(0, COMMON_TOKENS)
}

/** Token weights over all passages, from what each document says is frequent in it. */
export function idfOfPassages(passages: number, documents: readonly CommonTokens[]): IdfTable {
  const counts = new Map<string, number>()
  for (const [token, count] of documents.flat()) counts.set(token, (counts.get(token) ?? 0) + count)
  const most = [...counts].sort((one, other) => other[1] - one[1]).slice(0, COMMON_TOKENS)
  return {
    common: Object.fromEntries(
      most.map(([token, count]) => [token, inverseFrequency(passages, count)]),
    ),
    rest: inverseFrequency(passages, 1),
  }
}

/** Passages for a question, best first: both lexical lists by BM25, fused and reranked as a base's search does. */
export function rankPassages(passages: readonly IndexedPassage[], query: string): RankedPassage[] {
  if (passages.length === 0) return []
  const modes = [...new Set(passages.map((passage) => passage.mode))]
  const question = analyzeQuery(query, modes)
  const tokens = question.words.flat()
  const found = findTokens(passages, (passage) => passage.words, tokens)
  const frequencyOf = (token: string) => found.get(hash32(token))?.length ?? 0
  const asked = termsAsked(question, tokens, { of: frequencyOf })
  const words: Postings = new Map(
    asked.tokens.map((token) => [hash32(token), found.get(hash32(token)) ?? []]),
  )
  const letters = findTokens(passages, (passage) => passage.letters, question.letters)
  const weights = fusionWeights(null)
  const fused = fuse([
    { items: scoreList(passages, (passage) => passage.words, words), weight: weights.words },
    { items: scoreList(passages, (passage) => passage.letters, letters), weight: weights.letters },
  ]).slice(0, RERANKED)
  return lookClosely(passages, fused, { ...question, words: asked.words }, frequencyOf)
}

type Postings = Map<number, { at: number; count: number }[]>

/** One scan over all passages: where each token of the question is. */
function findTokens(
  passages: readonly IndexedPassage[],
  side: (passage: IndexedPassage) => TokenCounts,
  tokens: readonly string[],
): Postings {
  const found: Postings = new Map(tokens.map((token) => [hash32(token), []]))
  const asked = new Uint8Array(0x10000)
  for (const hash of found.keys()) asked[hash & 0xffff] = 1
  for (const [at, passage] of passages.entries()) {
    const { hashes, counts } = side(passage)
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] ?? 0
      if (asked[hash & 0xffff] === 1) found.get(hash)?.push({ at, count: counts[i] ?? 0 })
    }
  }
  return found
}

function scoreList(
  passages: readonly IndexedPassage[],
  side: (passage: IndexedPassage) => TokenCounts,
  postings: Postings,
): Scored[] {
  let total = 0
  for (const passage of passages) total += side(passage).length
  const mean = total / passages.length || 1
  const scores = new Map<number, number>()
  for (const places of postings.values()) {
    const idf = inverseFrequency(passages.length, places.length)
    for (const { at, count } of places) {
      const passage = passages[at]
      if (!passage) continue
      const norm = K1 * (1 - B + (B * side(passage).length) / mean)
      scores.set(at, (scores.get(at) ?? 0) + (idf * count * (K1 + 1)) / (count + norm))
    }
  }
  return sortScored([...scores].map(([row, score]) => ({ row, score }))).slice(0, LIST_LENGTH)
}

function lookClosely(
  passages: readonly IndexedPassage[],
  fused: readonly Scored[],
  question: QueryTerms,
  frequencyOf: (token: string) => number,
): RankedPassage[] {
  const terms = weighTerms(question.words, (token) =>
    termWeight(passages.length, frequencyOf(token)),
  )
  const ranked = fused.flatMap(({ row, score }) => {
    const passage = passages[row]
    if (!passage) return []
    const { coverage, sentence } = weighSketch(toBuffer(passage.sketch), terms)
    return [
      {
        row,
        score: rerank(score, sentence, 0),
        // As in a base: single characters are found anywhere in a long passage.
        coverage: question.unspaced ? (coverage + sentence) / 2 : coverage,
      },
    ]
  })
  return sortScored(ranked).map(({ row, score, coverage }) => ({ at: row, score, coverage }))
}

/** FNV-1a over UTF-16 units. */
function hash32(token: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < token.length; i++) hash = Math.imul(hash ^ token.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

const toBuffer = (bytes: Uint8Array): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer

/** Passages as bytes: for each its mode, then both token lists and the sketch, each with its length. Little endian. */
export function encodePassages(passages: readonly IndexedPassage[]): Uint8Array<ArrayBuffer> {
  const sizeOf = ({ words, letters, sketch }: IndexedPassage) =>
    1 + 2 * 8 + 5 * (words.hashes.length + letters.hashes.length) + 4 + sketch.length
  const out = new Uint8Array(passages.reduce((sum, passage) => sum + sizeOf(passage), 0))
  const view = new DataView(out.buffer)
  let at = 0
  for (const { mode, words, letters, sketch } of passages) {
    out[at++] = LATIN_MODES.indexOf(mode)
    for (const { hashes, counts, length } of [words, letters]) {
      view.setUint32(at, hashes.length, true)
      view.setUint32(at + 4, length, true)
      at += 8
      for (const hash of hashes) {
        view.setUint32(at, hash, true)
        at += 4
      }
      out.set(counts, at)
      at += counts.length
    }
    view.setUint32(at, sketch.length, true)
    out.set(sketch, at + 4)
    at += 4 + sketch.length
  }
  return out
}

/** The inverse of `encodePassages`. @throws RangeError for bytes that it did not write. */
export function decodePassages(bytes: Uint8Array): IndexedPassage[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const passages: IndexedPassage[] = []
  let at = 0
  const readTokens = (): TokenCounts => {
    const size = view.getUint32(at, true)
    const length = view.getUint32(at + 4, true)
    at += 8
    const hashes = new Uint32Array(size)
    for (let i = 0; i < size; i++) hashes[i] = view.getUint32(at + 4 * i, true)
    at += 4 * size
    const counts = bytes.slice(at, at + size)
    at += size
    return { hashes, counts, length }
  }
  while (at < bytes.length) {
    const mode = LATIN_MODES[view.getUint8(at++)]
    if (mode === undefined) throw new RangeError('Not an index of passages')
    const words = readTokens()
    const letters = readTokens()
    const size = view.getUint32(at, true)
    const sketch = bytes.slice(at + 4, at + 4 + size)
    at += 4 + size
    passages.push({ mode, words, letters, sketch })
  }
  return passages
}
