import { sentences } from '../text/sentences'
import type { Run } from './styled-text'

/**
 * Cuts styled text into pieces of at most `limit` characters: between paragraphs where that leaves at least half a piece,
 * else between lines, sentences or words, and inside a word only where nothing else is left. Looks go on over a cut.
 */
export function cutRuns(runs: readonly Run[], limit: number): Run[][] {
  const pieces: Run[][] = []
  let rest = trimStart(runs, true)
  while (rest.length > 0) {
    const text = rest.map((run) => run.text).join('')
    const end = text.length <= limit ? text.length : findCut(text, limit)
    const piece = trimEnd(sliceRuns(rest, 0, end))
    if (piece.length > 0) pieces.push(piece)
    rest = trimStart(sliceRuns(rest, end, text.length), text[end - 1] === '\n')
  }
  return pieces
}

function findCut(text: string, limit: number): number {
  const window = text.slice(0, limit)
  const least = limit / 2
  for (const border of ['\n\n', '\n']) {
    const at = window.lastIndexOf(border)
    if (at >= least) return at + border.length
  }
  const sentence = sentences(text.slice(0, limit * 2)).findLast(({ end }) => end <= limit)
  if (sentence && sentence.end >= least) return sentence.end
  const space = window.search(/\s\S*$/u)
  if (space >= least) return space + 1
  // Never between the halves of a character.
  const last = window.charCodeAt(limit - 1)
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit
}

function sliceRuns(runs: readonly Run[], start: number, end: number): Run[] {
  const sliced: Run[] = []
  let at = 0
  for (const { text, style } of runs) {
    const part = text.slice(Math.max(0, start - at), Math.max(0, end - at))
    if (part) sliced.push({ text: part, style })
    at += text.length
  }
  return sliced
}

/** Without blank lines; a line that begins here keeps its indent, which is part of code and of lists. */
function trimStart(runs: readonly Run[], isLineStart: boolean): Run[] {
  const text = runs.map((run) => run.text).join('')
  const shown = text.length - text.trimStart().length
  const line = text.lastIndexOf('\n', shown - 1) + 1
  const keepsIndent = shown < text.length && (isLineStart || line > 0)
  const start = keepsIndent ? line : shown
  return sliceRuns(runs, start, text.length)
}

function trimEnd(runs: readonly Run[]): Run[] {
  const text = runs.map((run) => run.text).join('')
  return sliceRuns(runs, 0, text.trimEnd().length)
}
