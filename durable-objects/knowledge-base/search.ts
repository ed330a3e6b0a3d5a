import { detectMode } from '../../src/knowledge/analyze'
import {
  fuse,
  fusionWeights,
  isOffline,
  RERANKED,
  type Scored,
  SENTENCE_WEIGHT,
  sortScored,
} from '../../src/knowledge/fusion'
import {
  analyzeQuery,
  buildMatch,
  dropFrequent,
  inverseFrequency,
} from '../../src/knowledge/query-terms'
import { type WeighedTerms, weighSketch, weighTerms } from '../../src/knowledge/sketch'
import type { ChunkStore } from './chunk-store'
import type { TermStatistics } from './term-statistics'
import type { VectorRows } from './vector-rows'

/** Passages each list contributes. */
const LIST_LENGTH = 100

export interface Tables {
  sql: SqlStorage
  chunks: ChunkStore
  terms: TermStatistics
  vectors: VectorRows
}

export interface RankedRow {
  row: number
  score: number
  coverage: number
  cosine: number | null
}

/** A question's vector with what a vector index outside the object found for it, if there is one. */
export interface QuestionVector {
  embedder: string
  values: readonly number[]
  nearest: readonly Scored[] | null
}

/** The base's visible passages for a question, best first, at most `RERANKED`. */
export function rankPassages(
  tables: Tables,
  query: string,
  vector: QuestionVector | null,
): RankedRow[] {
  const { chunks, terms } = tables
  const question = analyzeQuery(query, chunks.modesFor(detectMode(query)))
  const inA = terms.lookUpA(question.a.flat())
  const listA = matchIndex(
    tables,
    'kb_a',
    buildMatch(dropFrequent(question.a.flat(), inA), question.phrases),
  )
  const listB = matchIndex(tables, 'kb_b', buildMatch(dropFrequent(question.b, terms.frequentB())))
  const cosines = vector ? compareVectors(tables, vector, [listA, listB]) : []
  const weights = fusionWeights(cosines.length > 0 && vector ? vector.embedder : null)
  const fused = fuse([
    { items: listA, weight: weights.a },
    { items: listB, weight: weights.b },
    { items: cosines, weight: weights.vector },
  ])
  const weighed = weighTerms(question.a, (token) => inverseFrequency(inA.passages, inA.of(token)))
  return weighBySentence(
    chunks,
    fused.slice(0, RERANKED),
    weighed,
    new Map(cosines.map((one) => [one.row, one.score])),
  )
}

function matchIndex({ sql, chunks }: Tables, index: 'kb_a' | 'kb_b', match: string): Scored[] {
  if (match === '') return []
  const hidden = chunks.hiddenVersions()
  const visible =
    hidden.length > 0 ? 'AND (rowid >> 20) NOT IN (SELECT value FROM json_each(?))' : ''
  const rows = sql.exec<{ row: number; s: number }>(
    `SELECT rowid AS row, bm25(${index}, 2.0, 1.0) AS s FROM ${index}
     WHERE ${index} MATCH ? ${visible} ORDER BY s LIMIT ${LIST_LENGTH}`,
    match,
    ...(hidden.length > 0 ? [JSON.stringify(hidden)] : []),
  )
  return rows.toArray().map(({ row, s }) => ({ row, score: -s }))
}

function compareVectors(
  { chunks, vectors }: Tables,
  vector: QuestionVector,
  lists: Scored[][],
): Scored[] {
  if (vector.nearest) return vector.nearest.filter(({ row }) => chunks.isVisible(row))
  if (isOffline(vector.embedder)) {
    const candidates = new Set(lists.flatMap((list) => list.map((item) => item.row)))
    return vectors.compare(vector.embedder, vector.values, [...candidates])
  }
  return vectors.nearest(vector.embedder, vector.values, LIST_LENGTH, (row) =>
    chunks.isVisible(row),
  )
}

function weighBySentence(
  chunks: ChunkStore,
  candidates: Scored[],
  terms: WeighedTerms,
  cosines: Map<number, number>,
): RankedRow[] {
  const sketches = chunks.readSketches(candidates.map((one) => one.row))
  const ranked: RankedRow[] = []
  for (const { row, score } of candidates) {
    const sketch = sketches.get(row)
    if (!sketch) continue
    const { coverage, sentence } = weighSketch(sketch, terms)
    ranked.push({
      row,
      score: (score + SENTENCE_WEIGHT * sentence) / (1 + SENTENCE_WEIGHT),
      coverage,
      cosine: cosines.get(row) ?? null,
    })
  }
  return sortScored(ranked)
}
