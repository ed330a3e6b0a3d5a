import { gramTokens, pairTokens, type Run, runsOf, segmentTokens, wordToken } from '../text/analyze'
import { foldText } from '../text/fold'
import { detectLatinMode, type LatinMode } from '../text/latin-language'
import { readPhrasings } from '../text/phrasings'
import { sentences } from '../text/sentences'
import { encodeSketch, hashToken } from './sketch'
import type { Chunk } from './types'

/** The words of so many are remembered; then the memory starts anew. */
const REMEMBERED_WORDS = 20_000

/** A passage as the indexes take it: token streams joined by spaces, and the sketch of its sentences. */
export interface PreparedPassage {
  mode: LatinMode
  a: { title: string; body: string }
  b: { title: string; body: string }
  sketch: Uint8Array
  /** Title, heading and text cut into words: what `embedRuns` takes. */
  runs: Run[]
}

/** What the indexes take of one run: joined tokens of A with the hash of each, and of B. */
interface PreparedRun {
  a: string
  hashes: readonly number[]
  b: string
}

/** By mode; one look-up a word is a good part of what a passage takes. */
const remembered = new Map<LatinMode, Map<string, PreparedRun>>()

/** Prepares a chunk for both indexes. The title counts as its own column; heading and phrasings belong to the body. */
export function preparePassage(
  title: string,
  chunk: Pick<Chunk, 'text' | 'heading' | 'phrasings'>,
): PreparedPassage {
  // White space between sentences belongs to none and holds no word, so they are cut once for both indexes.
  const parts = [...sentences(chunk.text), ...readPhrasings(chunk.phrasings)]
  const texts = parts.map(({ text }) => foldText(text))
  const folded = [foldText(title), foldText(chunk.heading ?? ''), ...texts]
  const mode = detectLatinMode(folded.join('\n'))
  const words = wordsOf(mode)
  const runs: Run[] = []
  const [a, b]: [string[], string[]] = [[], []]
  /** Of title and heading together, then of each sentence. */
  const hashes: number[][] = []
  let titleEnd = 0
  for (const [i, text] of folded.entries()) {
    const sentence = i === 1 ? (hashes[0] ?? []) : []
    for (const run of runsOf(text)) {
      const prepared = prepareRun(run, mode, words)
      runs.push(run)
      a.push(prepared.a)
      b.push(prepared.b)
      for (const hash of prepared.hashes) sentence.push(hash)
    }
    if (i === 0) titleEnd = runs.length
    if (i !== 1) hashes.push(sentence)
  }
  return {
    mode,
    a: { title: a.slice(0, titleEnd).join(' '), body: a.slice(titleEnd).join(' ') },
    b: { title: b.slice(0, titleEnd).join(' '), body: b.slice(titleEnd).join(' ') },
    sketch: encodeSketch(hashes),
    runs,
  }
}

function wordsOf(mode: LatinMode): Map<string, PreparedRun> {
  const known = remembered.get(mode)
  if (known && known.size < REMEMBERED_WORDS) return known
  const words = new Map<string, PreparedRun>()
  remembered.set(mode, words)
  return words
}

function prepareRun(run: Run, mode: LatinMode, words: Map<string, PreparedRun>): PreparedRun {
  if (run.unspaced) return preparedRun(pairTokens(run.text), segmentTokens(run.text))
  const known = words.get(run.text)
  if (known !== undefined) return known
  const prepared = preparedRun([wordToken(run.text, mode)], gramTokens(run.text))
  words.set(run.text, prepared)
  return prepared
}

const preparedRun = (a: readonly string[], b: readonly string[]): PreparedRun => ({
  a: a.join(' '),
  hashes: a.map(hashToken),
  b: b.join(' '),
})
