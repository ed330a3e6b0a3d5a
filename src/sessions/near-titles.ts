import { leastCosine } from '../knowledge/least-cosine'
import { similarityOf } from '../memory/rank-memories'
import { embedOffline } from '../text/statistical-vectors'

export interface TitleVector {
  embedder: string
  values: Float32Array
}

export interface KnownTitle {
  id: string
  title: string
  vector: TitleVector | null
}

/** What a title that holds every word scores, and a message that does. */
export const TITLE_SCORE = 1
export const KEYWORD_SCORE = 0.5
const MOST = 0.99
/** The statistical embedding sees spellings, not meanings: only what is written nearly alike counts. */
const STATISTICAL_LEAST = 0.6
/** Some 25 µs each, so that a search over ten thousand sessions stays quick. */
const SPELLED_TITLES = 1000

/**
 * `titles` newest first. Titles that mean what was asked, with a score from 0 to 1, by id. A trained embedder's may stand above what merely holds
 * the words; the statistical one's stand below all of those, so that it adds and never displaces.
 */
export function nearTitles(
  query: string,
  titles: readonly KnownTitle[],
  asked: TitleVector | null,
): Map<string, number> {
  const spelled = Float32Array.from(embedOffline(query))
  const near = new Map<string, number>()
  for (const [index, { id, title, vector }] of titles.entries()) {
    if (asked && vector?.embedder === asked.embedder) {
      const cosine = dot(asked.values, vector.values)
      if (cosine >= leastCosine(asked.embedder)) {
        near.set(id, Math.min(MOST, similarityOf(cosine, true)))
        continue
      }
    }
    if (index >= SPELLED_TITLES) continue
    const alike = dot(spelled, Float32Array.from(embedOffline(title)))
    if (alike >= STATISTICAL_LEAST) near.set(id, KEYWORD_SCORE * Math.min(MOST, alike))
  }
  return near
}

/** 0 when the two are of different length, which no comparison can mend. */
export function dot(one: Float32Array, other: Float32Array | undefined): number {
  if (other?.length !== one.length) return 0
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0)
  return sum
}
