import { once } from '../text/once'
import type { Section } from './group-sections'
import { weigh } from './text-weight'
import type { Block, ParsedDocument } from './types'

/** A stretch of text that is not cut: a sentence, a table row, a list item, a line of code, a heading. */
export interface Atom {
  start: number
  end: number
  /** Weight up to where the next atom starts. */
  weight: number
  /** Price of a cut after this atom, in shares of the ideal piece. */
  cutCost: number
}

const CUT_COST = { block: 0, line: 0.15, sentence: 0.35, word: 0.8, heading: 3 } as const

type Range = Omit<Atom, 'weight'>

/** The atoms of a section in reading order; one heavier than `max` is itself cut between words. */
export function findAtoms(doc: ParsedDocument, section: Section, max: number): Atom[] {
  const ranges: Range[] = []
  for (const block of section.blocks) {
    for (const range of findRanges(doc.text, block)) pushRange(ranges, doc.text, range, max)
    const last = ranges.at(-1)
    if (last) last.cutCost = block.kind === 'heading' ? CUT_COST.heading : CUT_COST.block
  }
  return ranges.map((range, i) => ({
    ...range,
    weight: weigh(doc.text, range.start, ranges[i + 1]?.start ?? section.end),
  }))
}

function findRanges(text: string, block: Block): Range[] {
  if (block.kind === 'heading') return [{ start: block.start, end: block.end, cutCost: 0 }]
  return block.kind === 'paragraph' ? findSentences(text, block) : findLines(text, block)
}

function findLines(text: string, block: Block): Range[] {
  const ranges: Range[] = []
  let start = block.start
  while (start < block.end) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 || newline > block.end ? block.end : newline
    if (text.slice(start, end).trim() !== '') ranges.push({ start, end, cutCost: CUT_COST.line })
    start = end + 1
  }
  return ranges
}

const SENTENCES = once(() => new Intl.Segmenter(undefined, { granularity: 'sentence' }))

function findSentences(text: string, block: Block): Range[] {
  const ranges: Range[] = []
  for (const { index, segment } of SENTENCES().segment(text.slice(block.start, block.end))) {
    const lead = segment.length - segment.trimStart().length
    const length = segment.trim().length
    const start = block.start + index + lead
    const lineEnds = segment.endsWith('\n')
    const cutCost = lineEnds ? CUT_COST.line : CUT_COST.sentence
    if (length > 0) ranges.push({ start, end: start + length, cutCost })
  }
  return ranges
}

/** Adds a range; one that is too heavy goes in pieces that end at white space or, where there is none, between characters. */
function pushRange(ranges: Range[], text: string, range: Range, max: number): void {
  let { start } = range
  while (weigh(text, start, Math.min(range.end, start + max)) > max || range.end - start > max) {
    const end = findWordCut(text, start, max)
    ranges.push({ start, end, cutCost: CUT_COST.word })
    start = end
    while (start < range.end && /\s/.test(text.charAt(start))) start += 1
    if (start >= range.end) return
  }
  ranges.push({ ...range, start })
}

/** An offset up to which the text weighs at most `max`: after the last white space in its last half, else at a character. */
function findWordCut(text: string, start: number, max: number): number {
  let end = start
  let weight = 0
  while (weight < max) {
    weight += weigh(text, end, end + 1)
    if (weight <= max) end += 1
  }
  for (let at = end; at > start + (end - start) / 2; at--) {
    if (/\s/.test(text.charAt(at))) return at
  }
  // Never between the two halves of a character.
  const code = text.charCodeAt(end)
  return code >= 0xdc00 && code <= 0xdfff && end - start > 1 ? end - 1 : end
}
