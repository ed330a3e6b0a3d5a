/** One list's opinion of a passage: greater is better. */
export interface Scored {
  row: number
  score: number
}

export interface Weights {
  a: number
  b: number
  vector: number
}

const LEXICAL: Weights = { a: 0.5, b: 0.5, vector: 0 }
/** A statistical embedding knows little that the two indexes do not. */
const OFFLINE: Weights = { a: 0.5, b: 0.5, vector: 0.05 }
const TRAINED: Weights = { a: 0.3, b: 0.3, vector: 0.4 }

/** Weight of the best sentence's share of the question, and how many passages it is worked out for. */
export const SENTENCE_WEIGHT = 0.2
export const RERANKED = 20

/** Weights of the three lists, by the embedder behind the vectors; null where the question has no vector. */
export function fusionWeights(embedder: string | null): Weights {
  if (embedder === null) return LEXICAL
  return isOffline(embedder) ? OFFLINE : TRAINED
}

/** Statistical embedders are named so; their vectors are never searched, only compared with lexical candidates. */
export function isOffline(embedder: string): boolean {
  return embedder.startsWith('offline-')
}

/** Divides each list by its top score and adds the lists up with their weights. Best first; ties keep the lower row. */
export function fuse(lists: readonly { items: readonly Scored[]; weight: number }[]): Scored[] {
  const sums = new Map<number, number>()
  for (const { items, weight } of lists) {
    let top = 0
    for (const item of items) top = Math.max(top, item.score)
    if (top <= 0 || weight === 0) continue
    for (const item of items) {
      sums.set(item.row, (sums.get(item.row) ?? 0) + (weight * Math.max(item.score, 0)) / top)
    }
  }
  return sortScored([...sums].map(([row, score]) => ({ row, score })))
}

export function sortScored<T extends Scored>(items: T[]): T[] {
  return items.sort((one, other) => other.score - one.score || one.row - other.row)
}
