import { detectMode, tokensA, tokensB } from '../text/analyze'
import type { LatinMode } from '../text/latin-language'
import { sentences } from '../text/sentences'
import { encodeSketch } from './sketch'
import type { Chunk } from './types'

/** A passage as the indexes take it: token streams joined by spaces, and the sketch of its sentences. */
export interface PreparedPassage {
  mode: LatinMode
  a: { title: string; body: string }
  b: { title: string; body: string }
  sketch: Uint8Array
}

/** Prepares a chunk for both indexes. The title counts as its own column; the heading belongs to the body. */
export function preparePassage(
  title: string,
  chunk: Pick<Chunk, 'text' | 'heading'>,
): PreparedPassage {
  const head = chunk.heading ?? ''
  const mode = detectMode(`${title}\n${head}\n${chunk.text}`)
  const titleTokens = tokensA(title, mode)
  const headTokens = tokensA(head, mode)
  const bodyTokens = sentences(chunk.text).map((sentence) => tokensA(sentence.text, mode))
  return {
    mode,
    a: { title: titleTokens.join(' '), body: [headTokens, ...bodyTokens].flat().join(' ') },
    b: { title: tokensB(title).join(' '), body: tokensB(`${head}\n${chunk.text}`).join(' ') },
    sketch: encodeSketch([[...titleTokens, ...headTokens], ...bodyTokens]),
  }
}
