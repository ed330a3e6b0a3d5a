import { dot } from './project-vectors'
import type { GraphEdge } from './types'

/** Neighbours that the projection proposes; the vectors themselves choose among them. */
const CANDIDATES = 16

export interface Neighbour {
  index: number
  score: number
}

/**
 * Edges between items that are near each other, at most `perItem` from each, by cosine of the vectors (of length one).
 * Candidates come from the projection, so the work is `n² × rank + n × 16 × dimensions`.
 * @param similarity turns a cosine into 0 to 1. @param least below it there is no edge.
 */
export function connectItems(
  vectors: readonly Float32Array[],
  projection: { factors: Float32Array; rank: number },
  options: { perItem: number; least: number; similarity: (cosine: number) => number },
): GraphEdge[] {
  const units = normalizeRows(projection.factors, vectors.length, projection.rank)
  const edges = new Map<number, GraphEdge>()
  const n = vectors.length
  for (const [i, vector] of vectors.entries()) {
    const near = nearestRows(units, n, projection.rank, i)
      .map((index) => ({ index, score: options.similarity(dot(vector, vectors[index] ?? vector)) }))
      .filter(({ score }) => score >= options.least)
      .sort((x, y) => y.score - x.score || x.index - y.index)
      .slice(0, options.perItem)
    for (const { index, score } of near) {
      const [a, b] = i < index ? [i, index] : [index, i]
      edges.set(a * n + b, { a, b, weight: Math.round(score * 1000) / 1000 })
    }
  }
  return [...edges.entries()].sort(([x], [y]) => x - y).map(([, edge]) => edge)
}

/** The items nearest to one vector, best first. */
export function nearestTo(
  vector: Float32Array,
  vectors: readonly Float32Array[],
  count: number,
  similarity: (cosine: number) => number,
): Neighbour[] {
  return vectors
    .map((other, index) => ({ index, score: similarity(dot(vector, other)) }))
    .sort((x, y) => y.score - x.score || x.index - y.index)
    .slice(0, count)
}

function normalizeRows(factors: Float32Array, n: number, rank: number): Float32Array {
  const units = new Float32Array(n * rank)
  for (let i = 0; i < n; i++) {
    let sum = 0
    for (let k = 0; k < rank; k++) sum += (factors[i * rank + k] ?? 0) ** 2
    const factor = sum > 0 ? 1 / Math.sqrt(sum) : 0
    for (let k = 0; k < rank; k++) units[i * rank + k] = (factors[i * rank + k] ?? 0) * factor
  }
  return units
}

/** The candidates of row `i`, in a small sorted list that most rows never enter. */
function nearestRows(units: Float32Array, n: number, rank: number, i: number): number[] {
  const indexes: number[] = []
  const scores: number[] = []
  let worst = -2
  for (let j = 0; j < n; j++) {
    if (j === i) continue
    let score = 0
    for (let k = 0; k < rank; k++) score += (units[i * rank + k] ?? 0) * (units[j * rank + k] ?? 0)
    if (indexes.length === CANDIDATES && score <= worst) continue
    let at = indexes.length
    while (at > 0 && (scores[at - 1] ?? 0) < score) at--
    indexes.splice(at, 0, j)
    scores.splice(at, 0, score)
    if (indexes.length > CANDIDATES) {
      indexes.pop()
      scores.pop()
    }
    worst = scores.at(-1) ?? -2
  }
  return indexes
}
