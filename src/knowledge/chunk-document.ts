import { CHUNKING, DOCUMENT_LIMITS } from '../config/limits'
import { type Phrasing, writePhrasings } from '../text/phrasings'
import { type Atom, findAtoms } from './find-atoms'
import { groupSections, type Section } from './group-sections'
import { weigh } from './text-weight'
import type { Block, Chunk, ParsedDocument } from './types'

/**
 * Cuts a document into chunks along its headings. `doc.text.slice(start, end)` is exactly `text`; chunks do not overlap and
 * together hold every character but the white space between them. A section lighter than `whole` stays whole.
 */
export function chunkDocument(doc: ParsedDocument): Chunk[] {
  const chunks: Chunk[] = []
  for (const section of groupSections(doc)) {
    const phrased = section.blocks.flatMap(withPhrasings)
    for (const { start, end } of splitSection(doc, section)) {
      chunks.push({
        n: chunks.length,
        text: doc.text.slice(start, end),
        heading: section.heading,
        phrasings: writePhrasings(phrasingsIn(phrased, start, end)),
        page: findPage(doc.pageStarts, start),
        start,
        end,
      })
    }
  }
  return chunks
}

interface Phrased {
  start: number
  phrasings: string[]
}

/** Looked for once in a section: a piece that looked at each block made a long list's time quadratic. */
function withPhrasings(block: Block): Phrased[] {
  const phrasings = block.kind === 'heading' ? block.phrasings : undefined
  return phrasings ? [{ start: block.start, phrasings }] : []
}

/** Those of the headings that stand in a piece of a section. */
function phrasingsIn(headings: readonly Phrased[], start: number, end: number): Phrasing[] {
  const here = headings.filter((heading) => heading.start >= start && heading.start < end)
  return here
    .flatMap((heading) => heading.phrasings.map((text) => ({ at: heading.start - start, text })))
    .slice(0, DOCUMENT_LIMITS.passagePhrasings)
}

/** Cuts a section into even pieces, each at the best break near its ideal place. */
function splitSection(doc: ParsedDocument, section: Section): { start: number; end: number }[] {
  const total = weigh(doc.text, section.start, section.end)
  if (total <= CHUNKING.whole) return [{ start: section.start, end: section.end }]
  const pieces: { start: number; end: number }[] = []
  const atoms = findAtoms(doc, section, CHUNKING.target)
  let start = section.start
  let first = 0
  let left = total
  while (left > CHUNKING.target * 1.3) {
    const ideal = left / Math.ceil(left / CHUNKING.target)
    const cut = findCut(atoms, first, ideal, CHUNKING.whole)
    const last = atoms[cut.index]
    const next = atoms[cut.index + 1]
    if (!last || !next) break
    pieces.push({ start, end: last.end })
    start = next.start
    first = cut.index + 1
    left -= cut.weight
  }
  pieces.push({ start, end: section.end })
  return pieces
}

/** The last atom of the next piece: distance from the ideal weight and the price of a cut after the atom decide. */
function findCut(
  atoms: readonly Atom[],
  first: number,
  ideal: number,
  max: number,
): { index: number; weight: number } {
  let weight = 0
  let best = { index: first, weight: 0, cost: Number.POSITIVE_INFINITY }
  for (let index = first; index < atoms.length; index++) {
    const atom = atoms[index]
    if (!atom) break
    weight += atom.weight
    if (weight > max && index > first) break
    const cost = Math.abs(weight - ideal) / ideal + atom.cutCost
    if (cost <= best.cost) best = { index, weight, cost }
    if (weight > ideal * 1.6) break
  }
  return best
}

/** The 1-based page on which an offset lies: the last page that starts at or before it. */
function findPage(pageStarts: readonly number[] | null, offset: number): number | null {
  if (!pageStarts || pageStarts.length === 0) return null
  let low = 0
  let high = pageStarts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pageStarts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return Math.max(low, 1)
}
