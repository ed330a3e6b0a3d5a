import { gramTokens, pairTokens, type Run, runsOf, segmentTokens, wordToken } from '../text/analyze'
import { foldText } from '../text/fold'
import { detectLatinMode, type LatinMode } from '../text/latin-language'
import { readPhrasings } from '../text/phrasings'
import { LONGEST_REMEMBERED } from '../text/remembered'
import { sentences } from '../text/sentences'
import { encodeSketch, hashToken } from './sketch'
import type { Chunk } from './types'

/** The words of so many are remembered; then the memory starts anew. */
const REMEMBERED_WORDS = 20_000

/** A passage as the indexes take it: token streams joined by spaces, and the sketch of its sentences. */
export interface PreparedPassage {
  mode: LatinMode
  /** For the word index. */
  words: { title: string; body: string }
  /** For the letter index. */
  letters: { title: string; body: string }
  sketch: Uint8Array
  /** Title, heading and text cut into words: what `embedRuns` takes. */
  runs: Run[]
}

/** A run's tokens, joined by spaces, for each index; `hashes` are those of the word index's tokens, for the sketch. */
interface PreparedRun {
  words: string
  hashes: readonly number[]
  letters: string
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
  const known = knownRuns(mode)
  const runs: Run[] = []
  const words: string[] = []
  const letters: string[] = []
  /** Of title and heading together, then of each sentence. */
  const hashes: number[][] = []
  let titleEnd = 0
  for (const [i, text] of folded.entries()) {
    const sentence = i === 1 ? (hashes[0] ?? []) : []
    for (const run of runsOf(text)) {
      const prepared = prepareRun(run, mode, known)
      runs.push(run)
      words.push(prepared.words)
      letters.push(prepared.letters)
      for (const hash of prepared.hashes) sentence.push(hash)
    }
    if (i === 0) titleEnd = runs.length
    if (i !== 1) hashes.push(sentence)
  }
  return {
    mode,
    words: { title: words.slice(0, titleEnd).join(' '), body: words.slice(titleEnd).join(' ') },
    letters: {
      title: letters.slice(0, titleEnd).join(' '),
      body: letters.slice(titleEnd).join(' '),
    },
    sketch: encodeSketch(hashes),
    runs,
  }
}

function knownRuns(mode: LatinMode): Map<string, PreparedRun> {
  const known = remembered.get(mode)
  if (known && known.size < REMEMBERED_WORDS) return known
  const empty = new Map<string, PreparedRun>()
  remembered.set(mode, empty)
  return empty
}

function prepareRun(run: Run, mode: LatinMode, known: Map<string, PreparedRun>): PreparedRun {
  if (run.unspaced) return preparedRun(pairTokens(run.text), segmentTokens(run.text))
  const before = known.get(run.text)
  if (before !== undefined) return before
  const prepared = preparedRun([wordToken(run.text, mode)], gramTokens(run.text))
  if (run.text.length <= LONGEST_REMEMBERED) known.set(run.text, prepared)
  return prepared
}

const preparedRun = (words: readonly string[], letters: readonly string[]): PreparedRun => ({
  words: words.join(' '),
  hashes: words.map(hashToken),
  letters: letters.join(' '),
})
