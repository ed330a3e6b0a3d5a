import type { PdfItem } from './pdf-lines'

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const LEFT_TO_RIGHT = /[\p{L}\p{N}]/u
/** Letters in the shape that they are drawn in. */
const DRAWN_SHAPES = /[\ufb1d-\ufdff\ufe70-\ufefc]/g
/** A vowel's mark stands on the letter before it, wherever it is drawn. */
const BEFORE_MARK = /(?<!\s)\s+(?=[\u064b-\u065f\u0670])/g
/** Of a type's size: a gap from which on there is a space between two runs. */
const GAP = 0.15
/** Of a type's size: how far apart the runs of one line stand in height, raised marks among them. */
const SAME_LINE = 0.6
const OPENING = '([{«'
const CLOSING = ')]}»'
/** One drawn beside its item without a gap. */
const BULLET = /^[•‣▪◦](?=\S)/

/** How the lines of a page are written. */
export interface Direction {
  rightToLeft: boolean
  /** Its brackets are the signs drawn, which look the other way in such a line. */
  mirrored: boolean
}

interface Run {
  text: string
  rightToLeft: boolean
  /** Signs alone take the direction of what is around them. */
  neutral: boolean
}

export function directionOf(items: readonly PdfItem[]): Direction {
  const left = { rightToLeft: false, mirrored: false }
  if (!items.some(({ str }) => RIGHT_TO_LEFT.test(str))) return left
  let letters = 0
  for (const { str } of items)
    for (const sign of str)
      if (RIGHT_TO_LEFT.test(sign)) letters += 1
      else if (LEFT_TO_RIGHT.test(sign)) letters -= 1
  if (letters <= 0) return left
  const lines: PdfItem[][] = [[]]
  for (const item of items) {
    lines.at(-1)?.push(item)
    if (item.hasEOL) lines.push([])
  }
  const [alone, mirrored] = [false, true].map((mirrored) =>
    lines.reduce((sum, line) => {
      return sum + countLoneBrackets(readDirections(line, { rightToLeft: true, mirrored }) ?? '')
    }, 0),
  )
  return { rightToLeft: true, mirrored: (mirrored ?? 0) < (alone ?? 0) }
}

/**
 * What one line says in the order that it is read in, when some of it is written from right to left; else null. PDFs draw
 * such a line in either order, in runs of many letters or of one.
 */
export function readDirections(
  items: readonly PdfItem[],
  { rightToLeft, mirrored }: Direction,
): string | null {
  const drawn = items.filter(({ str }) => str.trim() !== '')
  if (!drawn.some(({ str }) => RIGHT_TO_LEFT.test(str)) || !isOneLine(drawn)) return null
  const runs = fromLeftToRight(drawn, rightToLeft, mirrored)
  if (rightToLeft) runs.reverse()
  return turnOthers(runs, rightToLeft)
    .map(({ text }) => text)
    .join('')
    .replace(DRAWN_SHAPES, (shape) => shape.normalize('NFKC'))
    .replace(BEFORE_MARK, '')
    .replace(BULLET, '$& ')
}

function countLoneBrackets(text: string): number {
  let lone = 0
  const open = [0, 0, 0, 0]
  for (const sign of text) {
    const opened = OPENING.indexOf(sign)
    const closed = CLOSING.indexOf(sign)
    if (opened >= 0) open[opened] = (open[opened] ?? 0) + 1
    else if (closed >= 0 && !open[closed]) lone += 1
    else if (closed >= 0) open[closed] = (open[closed] ?? 0) - 1
  }
  return open.reduce((sum, left) => sum + left, lone)
}

function isOneLine(items: readonly PdfItem[]): boolean {
  const [, y = 0] = items[0]?.transform.slice(4) ?? []
  const size = Math.max(...items.map(({ height }) => height))
  return items.every(({ transform }) => Math.abs((transform[5] ?? 0) - y) <= size * SAME_LINE)
}

/** The runs as they stand, with the spaces between them. */
function fromLeftToRight(items: readonly PdfItem[], turnSigns: boolean, mirrored: boolean): Run[] {
  const placed = items
    .map((item) => ({ item, x: item.transform[4] ?? 0 }))
    .sort((a, b) => a.x - b.x)
  const runs: Run[] = []
  let end = Number.POSITIVE_INFINITY
  for (const { item, x } of placed) {
    if (x - end > GAP * item.height) runs.push({ text: ' ', rightToLeft: false, neutral: true })
    const rightToLeft = RIGHT_TO_LEFT.test(item.str)
    const neutral = !rightToLeft && !LEFT_TO_RIGHT.test(item.str)
    // The parser has turned what it takes to be written from right to left, and nothing else.
    const turn = turnSigns && neutral && item.dir !== 'rtl'
    runs.push({ text: turn ? turnRound(item.str, mirrored) : item.str, rightToLeft, neutral })
    end = x + item.width
  }
  return runs
}

function turnRound(signs: string, mirrored: boolean): string {
  return [...signs]
    .reverse()
    .map((sign) => {
      if (!mirrored) return sign
      return CLOSING[OPENING.indexOf(sign)] ?? OPENING[CLOSING.indexOf(sign)] ?? sign
    })
    .join('')
}

/** Turns round what runs against the line: runs of that direction with the signs between them. */
function turnOthers(runs: readonly Run[], rightToLeft: boolean): Run[] {
  const read: Run[] = []
  let against: Run[] = []
  let signs: Run[] = []
  for (const run of runs) {
    if (run.neutral) signs.push(run)
    else if (run.rightToLeft !== rightToLeft) {
      if (against.length > 0) against.push(...signs)
      else read.push(...signs)
      against.push(run)
      signs = []
    } else {
      read.push(...against.reverse(), ...signs, run)
      against = []
      signs = []
    }
  }
  return [...read, ...against.reverse(), ...signs]
}
