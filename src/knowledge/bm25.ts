/** As SQLite's full-text index has them. */
const K1 = 1.2
const B = 0.75
/** What a term in more than half of the passages weighs there. */
const LEAST_IDF = 1e-6

/** The passages that have a term, by their place in the list of all, and how often each has it: a place in the title counts twice. */
export interface Hits {
  at: Uint16Array | Uint32Array
  counts: Uint8Array
}

/** The scores that the full-text index's own `bm25` gives, one term at a time. */
export class Bm25 {
  readonly #passages: number
  /** For each passage what is added to a term's count in it: more the longer it is. */
  readonly #lengths: Float64Array

  /** @param totals as the index counts them @param lengths tokens of each passage */
  constructor(totals: { passages: number; tokens: number }, lengths: readonly number[]) {
    const { passages, tokens } = totals
    const average = tokens / passages
    this.#passages = passages
    this.#lengths = Float64Array.from(lengths, (length) => K1 * (1 - B + (B * length) / average))
  }

  /** Adds what a term gives to each passage that has it. */
  add(sums: Float64Array, { at, counts }: Hits): void {
    const idf = this.#idf(at.length)
    const lengths = this.#lengths
    for (let i = 0; i < at.length; i++) {
      const place = at[i] ?? 0
      const count = counts[i] ?? 0
      // In the index's own order, so that not even the last digit differs and ties stay ties.
      const share = (count * (K1 + 1)) / (count + (lengths[place] ?? 0))
      sums[place] = (sums[place] ?? 0) + idf * share
    }
  }

  /** How often a passage has a term, from its score. @param hits passages that have it */
  countOf(score: number, place: number, hits: number): number {
    return Math.round((score * (this.#lengths[place] ?? 0)) / (this.#idf(hits) * (K1 + 1) - score))
  }

  #idf(hits: number): number {
    const idf = Math.log((this.#passages - hits + 0.5) / (hits + 0.5))
    return idf > 0 ? idf : LEAST_IDF
  }
}
