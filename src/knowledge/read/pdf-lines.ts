import { type Direction, directionOf, readDirections } from './pdf-directions'
import { mendLetters } from './pdf-letters'

/** A run of text as the parser reports it. */
export interface PdfItem {
  str: string
  dir?: string
  /** Text matrix; the last two are the position from the lower left, in points. */
  transform: number[]
  width: number
  height: number
  hasEOL: boolean
  fontName?: string
  /** Of a type whose letters are all as wide as each other. */
  mono?: boolean
}

export interface PdfLine {
  text: string
  x: number
  y: number
  /** Type size in points. */
  size: number
  /** Wholly in a type whose letters are all as wide as each other. */
  mono?: boolean
  /** Where parts of it stand clearly apart, these in the order in which they are read. */
  cells?: PdfCell[]
}

/** A part of a line, from its left to its right. */
export interface PdfCell {
  text: string
  from: number
  to: number
}

/** Of a type's size: a gap from which on there is a space between two runs, and from which on there is more. */
const GAP = 0.15
const WIDE_GAP = 0.7

/** Bullets of slides, and those that symbol fonts draw at places without a meaning of their own. */
const DRAWN_BULLET = /^[\ue000-\uf8ff▶►▸➢➤■□●○◆◇❖]\s+(?=\S)/

/** A quotation mark that TeX's old fonts draw with an accent that stands alone. */
const LONE_ACCENT = /(?<![^\s(])\u0300 ?(?=\S)/g

/** A line of a table of contents: it repeats a heading, dots, and a page number. */
const CONTENTS_LINE = /(?:[.·…]\s?){6}\s*[\divxlc]*$/i
/** On a page of them, one without dots, or the first half of one: with a section's number before it, or a page's behind. */
const CONTENTS_ENTRY = /^\d+(?:\.\d+)+\.?\s?\S|\s[\divxlc]+$/i
/** A page of contents has so many lines with dots, and no fewer than this share. */
const CONTENTS_LINES = 4
const CONTENTS_SHARE = 0.3

/** Puts the runs of a page together into lines, in reading order; lines of a table of contents are left out. */
export function collectLines(drawn: readonly PdfItem[]): PdfLine[] {
  const items = mendLetters(drawn)
  const lines: PdfLine[] = []
  const direction = directionOf(items)
  let pieces: PdfItem[] = []
  let first: PdfItem | null = null
  let size = 0
  let mono = true
  const flush = () => {
    const text = (readDirections(pieces, direction) ?? pieces.map(({ str }) => str).join(''))
      .replace(/\s+/g, ' ')
      .trim()
      .replace(DRAWN_BULLET, '• ')
      .replace(LONE_ACCENT, '‘')
    if (text && first) {
      const [x = 0, y = 0] = first.transform.slice(4)
      const cells = mono ? [] : splitCells(pieces, direction)
      lines.push({
        text,
        x,
        y,
        size,
        ...(mono ? { mono } : {}),
        ...(cells.length > 1 ? { cells } : {}),
      })
    }
    pieces = []
    first = null
    size = 0
    mono = true
  }
  for (const item of items) {
    if (item.str.trim() !== '') {
      first ??= item
      // Raised figures and the like do not make a line smaller.
      if (mono && !item.mono) size = 0
      mono &&= item.mono === true
      // Names of code within a line are often set larger.
      if (mono || !item.mono) size = Math.max(size, Math.round(item.height * 2) / 2)
    }
    pieces.push(item)
    if (item.hasEOL) flush()
  }
  flush()
  const rest = lines.filter(({ text }) => !CONTENTS_LINE.test(text))
  const dotted = lines.length - rest.length
  if (dotted < Math.max(CONTENTS_LINES, lines.length * CONTENTS_SHARE)) return rest
  return rest.filter(({ text }) => !CONTENTS_ENTRY.test(text))
}

function splitCells(pieces: readonly PdfItem[], direction: Direction): PdfCell[] {
  const cells: { pieces: PdfItem[]; text: string; from: number; to: number }[] = []
  const placed = pieces
    .filter(({ str }) => str.trim() !== '')
    .map((item) => ({ item, from: item.transform[4] ?? 0 }))
    .sort((a, b) => a.from - b.from)
  for (const { item, from } of placed) {
    const cell = cells.at(-1)
    const gap = cell ? (from - cell.to) / item.height : Number.POSITIVE_INFINITY
    if (!cell || gap > WIDE_GAP) {
      cells.push({ pieces: [item], text: item.str, from, to: from + item.width })
      continue
    }
    cell.pieces.push(item)
    cell.text += (gap > GAP ? ' ' : '') + item.str
    cell.to = Math.max(cell.to, from + item.width)
  }
  if (direction.rightToLeft) cells.reverse()
  return cells.map(({ pieces: own, text, from, to }) => {
    const read = readDirections(own, direction) ?? text
    return { text: read.replaceAll('|', '/').replace(/\s+/g, ' ').trim(), from, to }
  })
}

/** How many characters have each type size. */
export function countSizes(pages: readonly (readonly PdfLine[])[]): Map<number, number> {
  const characters = new Map<number, number>()
  for (const { size, text } of pages.flat())
    characters.set(size, (characters.get(size) ?? 0) + text.length)
  return characters
}
