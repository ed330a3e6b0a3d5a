import { gramTokens, pairTokens, segmentTokens, splitRuns } from './analyze'
import { isFunctionWord } from './latin-language'

/** The statistical embedding's name. It changes with the function: vectors of two names never mix. */
export const OFFLINE_EMBEDDER = 'offline-ngrams-512'

const DIMENSIONS = 512
/** Weights stand in for an idf, which a vector made before its base is known cannot have. */
const FUNCTION_WORD = 0.1
const CHARACTER = 0.3
const KANA = 0.2
/** `_` and one character. */
const SHORT_WORD = 2
const KANA_ONLY = /^\p{Script=Hiragana}+$/u

/**
 * A vector of length one from a text's letters alone: signed hashing of 4-grams, and of words, characters and pairs in
 * unspaced scripts, with damped counts. No network, no weights, the same everywhere.
 */
export function embedOffline(text: string): number[] {
  const counts = new Map<string, number>()
  for (const run of splitRuns(text)) {
    if (run.unspaced) countUnspaced(counts, run.text)
    else countWord(counts, run.text)
  }
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const [feature, count] of counts) {
    const hash = mix(feature)
    const at = hash % DIMENSIONS
    const value = count <= 1 ? count : 1 + Math.log(count)
    vector[at] = (vector[at] ?? 0) + (hash & 0x40000000 ? value : -value)
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

function countWord(counts: Map<string, number>, word: string): void {
  const grams = gramTokens(word)
  const weight = (isFunctionWord(word) ? FUNCTION_WORD : 1) / Math.sqrt(grams.length)
  for (const gram of grams) add(counts, gram, weight)
}

function countUnspaced(counts: Map<string, number>, run: string): void {
  for (const token of pairTokens(run)) {
    const single = token.length === 1
    add(counts, token, KANA_ONLY.test(token) ? KANA : single ? CHARACTER : 1)
  }
  for (const word of segmentTokens(run)) if (word.length > SHORT_WORD) add(counts, word, 1)
}

function add(counts: Map<string, number>, feature: string, weight: number): void {
  counts.set(feature, (counts.get(feature) ?? 0) + weight)
}

/** FNV-1a, then a finaliser: its low and high bits alone are not random enough for position and sign. */
function mix(feature: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < feature.length; i++) {
    hash = Math.imul(hash ^ feature.charCodeAt(i), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return (hash ^ (hash >>> 15)) >>> 0
}
