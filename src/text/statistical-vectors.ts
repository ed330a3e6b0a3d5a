import { gramTokens, pairTokens, type Run, segmentTokens, splitRuns } from './analyze'
import { isFunctionWord } from './latin-language'
import { LONGEST_REMEMBERED } from './remembered'

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

/** Features and words that are remembered, until there are so many of either: few letters make few features, and any number of words. */
const REMEMBERED_FEATURES = 60_000
const REMEMBERED_WORDS = 40_000

/** A word's n-grams by number, and what each counts. */
interface KnownWord {
  features: Int32Array
  weight: number
}

/** Every feature has a number, so that counting a text's is adding numbers in a row and no look-up of strings. */
const numbers = new Map<string, number>()
const words = new Map<string, KnownWord>()
const hashes: number[] = []
/** Of the text that is looked at; all zero in between. */
let counts = new Float64Array(1024)

/**
 * A vector of length one from a text's letters alone: signed hashing of 4-grams, and of words, characters and pairs in
 * unspaced scripts, with damped counts. No network, no weights, the same everywhere.
 */
export function embedOffline(text: string): number[] {
  return embedRuns(splitRuns(text))
}

/** `embedOffline` of a text that is cut already. */
export function embedRuns(runs: readonly Run[]): number[] {
  if (hashes.length >= REMEMBERED_FEATURES || words.size >= REMEMBERED_WORDS) {
    numbers.clear()
    words.clear()
    hashes.length = 0
  }
  // In the order of their first occurrence: the sum of floating-point numbers depends on it.
  const found: number[] = []
  for (const run of runs) {
    if (run.unspaced) countUnspaced(found, run.text)
    else countWord(found, run.text)
  }
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const feature of found) {
    const count = counts[feature] ?? 0
    counts[feature] = 0
    const hash = hashes[feature] ?? 0
    const at = hash % DIMENSIONS
    const value = count <= 1 ? count : 1 + Math.log(count)
    vector[at] = (vector[at] ?? 0) + (hash & 0x40000000 ? value : -value)
  }
  const length = lengthOf(vector) || 1
  for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] ?? 0) / length
  return vector
}

/** What `Math.hypot` computes, to the last bit, in a tenth of the time: stored vectors were made with it. */
function lengthOf(vector: readonly number[]): number {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  if (largest === 0) return 0
  let sum = 0
  let lost = 0
  for (const value of vector) {
    const share = value / largest
    const part = share * share - lost
    const next = sum + part
    lost = next - sum - part
    sum = next
  }
  return Math.sqrt(sum) * largest
}

function countWord(found: number[], word: string): void {
  let known = words.get(word)
  if (!known) {
    const grams = gramTokens(word)
    known = {
      features: Int32Array.from(grams, numberOf),
      weight: (isFunctionWord(word) ? FUNCTION_WORD : 1) / Math.sqrt(grams.length),
    }
    if (word.length <= LONGEST_REMEMBERED) words.set(word, known)
  }
  const { features, weight } = known
  for (let i = 0; i < features.length; i++) add(found, features[i] ?? 0, weight)
}

function countUnspaced(found: number[], run: string): void {
  for (const token of pairTokens(run)) {
    const single = token.length === 1
    add(found, numberOf(token), KANA_ONLY.test(token) ? KANA : single ? CHARACTER : 1)
  }
  for (const word of segmentTokens(run)) if (word.length > SHORT_WORD) add(found, numberOf(word), 1)
}

function add(found: number[], feature: number, weight: number): void {
  const before = counts[feature] ?? 0
  // No weight is zero.
  if (before === 0) found.push(feature)
  counts[feature] = before + weight
}

function numberOf(feature: string): number {
  const known = numbers.get(feature)
  if (known !== undefined) return known
  const number = hashes.push(mix(feature)) - 1
  numbers.set(feature, number)
  if (number >= counts.length) {
    const more = new Float64Array(counts.length * 2)
    more.set(counts)
    counts = more
  }
  return number
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
