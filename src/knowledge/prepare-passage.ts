import { joinedTokensB, type Run, runsOf, runTokens, tokensA } from '../text/analyze'
import { foldText } from '../text/fold'
import { detectLatinMode, type LatinMode } from '../text/latin-language'
import { sentences } from '../text/sentences'
import { encodeSketch } from './sketch'
import type { Chunk } from './types'

/** A passage as the indexes take it: token streams joined by spaces, and the sketch of its sentences. */
export interface PreparedPassage {
  mode: LatinMode
  a: { title: string; body: string }
  b: { title: string; body: string }
  sketch: Uint8Array
  /** Title, heading and text cut into words: what `embedRuns` takes. */
  runs: Run[]
}

/** Prepares a chunk for both indexes. The title counts as its own column; the heading belongs to the body. */
export function preparePassage(
  title: string,
  chunk: Pick<Chunk, 'text' | 'heading'>,
): PreparedPassage {
  const head = chunk.heading ?? ''
  const folded = { title: foldText(title), head: foldText(head), text: foldText(chunk.text) }
  const mode = detectLatinMode(`${folded.title}\n${folded.head}\n${folded.text}`)
  const titleRuns = runsOf(folded.title)
  const headRuns = runsOf(folded.head)
  const bodyRuns = [...headRuns, ...runsOf(folded.text)]
  const titleTokens = runTokens(titleRuns, mode)
  const headTokens = runTokens(headRuns, mode)
  const bodyTokens = sentences(chunk.text).map((sentence) => tokensA(sentence.text, mode))
  return {
    mode,
    a: { title: titleTokens.join(' '), body: [headTokens, ...bodyTokens].flat().join(' ') },
    b: { title: joinedTokensB(titleRuns), body: joinedTokensB(bodyRuns) },
    sketch: encodeSketch([[...titleTokens, ...headTokens], ...bodyTokens]),
    runs: [...titleRuns, ...bodyRuns],
  }
}
