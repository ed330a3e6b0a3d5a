/** One list's opinion of a passage: greater is better. */
export interface Scored {
  row: number
  score: number
}

/** How much each of the three lists counts: by words, by letters, by a trained embedder. */
export interface Weights {
  words: number
  letters: number
  vector: number
}

/** Passages that are looked at closely after the lists are fused, and what that adds to a score of at most one. */
export const RERANKED = 20
/** The share of the question found in the passage's best sentence. */
const SENTENCE = 0.2
/**
 * Nearness by the statistical embedding, where the question has no vector of a trained one. It knows little that the
 * lexical lists do not. Measured on the twelve sets: 0.05 gives +.0007 on the mean and takes at most .002 from any set;
 * 0.1 gives +.0014 but takes .004 from one.
 */
const STATISTICAL = 0.05

const LEXICAL: Weights = { words: 0.5, letters: 0.5, vector: 0 }
/**
 * What a trained embedder's list weighs: up to `most` where no word of the question was found, less by `perWord` for each that the
 * best passage holds. Many words found together leave little to guess, and each list is divided by its top score, so that a
 * poor one would count as much as a good one. Chosen on half of the questions of `npm run eval:embedder`.
 */
const TRAINED = { none: 0.9, perWord: 0.12, most: 0.85 } as const

/**
 * Weights of the three lists; the vector list is a trained embedder's.
 * @param found words of the question that the best passage of the lexical lists holds; null without vectors
 */
export function fusionWeights(found: number | null): Weights {
  if (found === null) return LEXICAL
  const { none, perWord, most } = TRAINED
  const vector = Math.max(0, Math.min(most, none - perWord * found))
  return { words: (1 - vector) / 2, letters: (1 - vector) / 2, vector }
}

/** Divides each list by its top score and adds the lists up with their weights. Best first; ties keep the lower row. */
export function fuse(lists: readonly { items: readonly Scored[]; weight: number }[]): Scored[] {
  const sums = new Map<number, number>()
  for (const { items, weight } of lists) {
    const top = topScore(items)
    if (top <= 0 || weight === 0) continue
    for (const item of items) {
      sums.set(item.row, (sums.get(item.row) ?? 0) + (weight * Math.max(item.score, 0)) / top)
    }
  }
  return sortScored([...sums].map(([row, score]) => ({ row, score })))
}

/** The final score, 0 to 1, from the fused one and the closer look. `nearness` counts from 0 to 1 too. */
export function rerank(fused: number, sentence: number, nearness: number): number {
  return (fused + SENTENCE * sentence + STATISTICAL * nearness) / (1 + SENTENCE + STATISTICAL)
}

/** A question that is said as one of a passage's other ways to ask takes its score so far toward 1. */
const LIKENESS = 0.5

/** The score of a passage, moved up by how alike question and one of its other ways to ask are said, 0 to 1. */
export const withLikeness = (score: number, alike: number): number =>
  score + LIKENESS * alike * (1 - score)

export function topScore(items: readonly Scored[]): number {
  let top = 0
  for (const item of items) top = Math.max(top, item.score)
  return top
}

export function sortScored<T extends Scored>(items: T[]): T[] {
  return items.sort((one, other) => other.score - one.score || one.row - other.row)
}

/** The best of many, as `sortScored` would put them first: what is not among them costs one comparison. */
export class BestScored {
  readonly #limit: number
  readonly #items: Scored[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether it would be among the best so far. */
  takes(row: number, score: number): boolean {
    const last = this.#items[this.#limit - 1]
    return !last || isBefore(row, score, last)
  }

  add(row: number, score: number): void {
    if (!this.takes(row, score)) return
    const after = this.#items.findIndex((one) => isBefore(row, score, one))
    this.#items.splice(after < 0 ? this.#items.length : after, 0, { row, score })
    if (this.#items.length > this.#limit) this.#items.pop()
  }

  list(): Scored[] {
    return this.#items
  }
}

const isBefore = (row: number, score: number, other: Scored): boolean =>
  score > other.score || (score === other.score && row < other.row)
