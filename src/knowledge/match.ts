import { detectMode, splitRuns, tokensA } from '../text/analyze'
import { isFunctionWord, type LatinMode } from '../text/latin-language'
import type { SearchResult } from './types'

/**
 * Least coverage for a question of one term. Chosen on the answerable questions of the development sets so that 94 % and
 * more are kept, and on questions of other domains in English and Chinese; `npm run eval:nomatch` prints both. Languages
 * that inflect and compound more find fewer of a question's words in the very passage that answers it.
 */
const LATIN: Record<LatinMode, number> = {
  english: 0.57,
  spanish: 0.57,
  french: 0.57,
  portuguese: 0.57,
  italian: 0.57,
  catalan: 0.57,
  romanian: 0.55,
  german: 0.48,
  dutch: 0.48,
  swedish: 0.48,
  norwegian: 0.48,
  danish: 0.48,
  czech: 0.48,
  turkish: 0.46,
  finnish: 0.46,
  hungarian: 0.46,
  prefix: 0.48,
}
/** Characters are found by chance, in a long passage more of them: for one of 500, and what the logarithm adds. */
const UNSPACED = { least: 0.565, slope: 0.07, length: { middle: 500, min: 100, max: 2000 } }
const CYRILLIC = 0.525
const OTHER = 0.48
/** Longer questions are covered less. */
const LENGTH_SLOPE = 0.07

/**
 * Least cosine that makes a match of its own, by embedder. Taken from the models' usual range, not measured here:
 * set high, because coverage alone already keeps most questions.
 */
const COSINES: Record<string, number> = {
  '@cf/baai/bge-m3': 0.6,
  'text-embedding-3-small': 0.5,
  'text-embedding-3-large': 0.5,
}
const COSINE = 0.7

export const leastCosine = (embedder: string): number => COSINES[embedder] ?? COSINE

/**
 * Whether a search found something the question is about, so that an answer may be built on it: enough of the question's
 * weight in one passage, or a passage near enough by a trained embedder. A question of function words alone names nothing.
 */
export function isMatch(
  result: Pick<SearchResult, 'coverage' | 'cosine' | 'embedder' | 'hits'>,
  query: string,
): boolean {
  const [best] = result.hits
  if (!best) return false
  const { cosine, embedder } = result
  if (cosine !== null && embedder !== null && cosine >= leastCosine(embedder)) return true
  const runs = splitRuns(query)
  if (runs.every((run) => !run.unspaced && isFunctionWord(run.text))) return false
  const terms = new Set(tokensA(query, 'english')).size
  return result.coverage >= leastCoverage(query, best.text) - LENGTH_SLOPE * Math.log(terms)
}

/** By the script of the question, in Latin script by the language of the passage: it is long enough to tell. */
function leastCoverage(query: string, passage: string): number {
  const letters = (script: RegExp) => query.match(script)?.length ?? 0
  const counts: [number, () => number][] = [
    [letters(/\p{Script=Latin}/gu), () => LATIN[detectMode(passage)]],
    [
      letters(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu) * 3,
      () => leastUnspaced(passage.length),
    ],
    [letters(/\p{Script=Cyrillic}/gu), () => CYRILLIC],
    [letters(/\p{L}/gu) / 2, () => OTHER],
  ]
  counts.sort(([one], [other]) => other - one)
  return counts[0]?.[1]() ?? OTHER
}

function leastUnspaced(length: number): number {
  const { middle, min, max } = UNSPACED.length
  return UNSPACED.least + UNSPACED.slope * Math.log(Math.min(Math.max(length, min), max) / middle)
}
