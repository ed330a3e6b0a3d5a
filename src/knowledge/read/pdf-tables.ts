import type { Cell } from './format-rows'
import type { PdfCell, PdfLine } from './pdf-lines'

/** Fewer lines beside each other are no table. */
const LEAST_ROWS = 3
/** Longer ones are read in parts, and wider ones are none. */
const MOST_ROWS = 1000
const MOST_COLUMNS = 40
/** Of the type's size: lines farther apart are none of one table. */
const ROWS_APART = 5
/** Columns of running text have lines longer than this. */
const LONGEST_USUAL = 40
/** Before an item its number or sign stands alone. */
const ITEM_SIGN = /^(?:[^\p{L}\p{N}]|\(?\d{1,3}[.)])$/u

type PlacedCell = Cell & PdfCell

/** A column's place on the page. */
type Column = Pick<PdfCell, 'from' | 'to'>

export interface PdfTable {
  columns: readonly Column[]
  /** Its first row, which names the columns where any does. */
  head: readonly Cell[]
  rows: readonly (readonly Cell[])[]
}

/** The lines of a page with the tables among them; a table's lines stand plainly in columns. */
export function findTables(lines: readonly PdfLine[]): (PdfLine[] | PdfTable)[] {
  const parts: (PdfLine[] | PdfTable)[] = []
  let text: PdfLine[] = []
  for (let at = 0; at < lines.length; ) {
    const run = runFrom(lines, at)
    const table = run.length < LEAST_ROWS ? null : readTable(run)
    if (table) {
      if (text.length > 0) parts.push(text)
      parts.push(table)
      text = []
    } else text.push(...(run.length > 0 ? run : lines.slice(at, at + 1)))
    at += run.length || 1
  }
  if (text.length > 0) parts.push(text)
  return parts
}

/** A table that goes on from the page before has the names from there. */
export function continueTable(table: PdfTable, before: PdfTable | null): PdfTable {
  const { columns, head, rows } = table
  const goesOn =
    before?.columns.length === columns.length &&
    before.columns.every((column, at) => overlap(column, columns[at]) > 0)
  if (!goesOn) return table
  const isRepeated = before.head.every(({ text }, at) => text === head[at]?.text)
  return isRepeated ? table : { ...before, rows: [before.head, ...rows] }
}

function runFrom(lines: readonly PdfLine[], first: number): PdfLine[] {
  let last = first
  const follows = (line: PdfLine | undefined, above: PdfLine | undefined) =>
    line?.cells !== undefined &&
    (above === undefined || (above.y > line.y && above.y - line.y < ROWS_APART * line.size))
  while (
    last - first < MOST_ROWS &&
    follows(lines[last], last > first ? lines[last - 1] : undefined)
  )
    last += 1
  return lines.slice(first, last)
}

function readTable(run: readonly PdfLine[]): PdfTable | null {
  const rows = run.map(({ cells = [] }) => cells)
  const count = Math.max(...rows.slice(1).map((cells) => cells.length))
  const full = rows.slice(1).filter((cells) => cells.length === count)
  if (full.length * 2 < rows.length - 1 || count > MOST_COLUMNS) return null
  const columns = Array.from({ length: count }, (_, at) => ({
    from: Math.min(...full.map((cells) => cells[at]?.from ?? Number.POSITIVE_INFINITY)),
    to: Math.max(...full.map((cells) => cells[at]?.to ?? 0)),
  }))
  const texts = full.flat().map(({ text }) => text)
  texts.sort((a, b) => a.length - b.length)
  const isProse = (texts[texts.length >> 1]?.length ?? 0) > LONGEST_USUAL
  const isList = full.every(([first]) => ITEM_SIGN.test(first?.text ?? ''))
  const isApart = columns.every((column, at) => at === 0 || overlap(column, columns[at - 1]) < 0)
  if (isProse || (isList && count === 2) || !isApart) return null
  const placed = rows.map((cells, row) => placeCells(cells, columns, row === 0))
  if (placed.includes(null)) return null
  const [head = [], ...others] = placed.flatMap((row) => (row ? [row] : []))
  const wide = widen(head, others[0] ?? [])
  return { columns, head: wide, rows: [wide, ...others] }
}

/** Each cell in its column; null where one stands in two, or two in one. Names may stand beside what is below them. */
function placeCells(
  cells: readonly PdfCell[],
  columns: readonly Column[],
  isHead: boolean,
): PlacedCell[] | null {
  const isFull = cells.length === columns.length
  const placed = cells.map((cell, at) => {
    const shared = columns.map((column) => overlap(cell, column))
    const most = Math.max(...shared)
    if (!isHead && shared.filter((one) => one > 0).length > 1) return -1
    return isFull ? at : shared.indexOf(most)
  })
  const isInOrder = placed.every((column, at) => column > (placed[at - 1] ?? -1))
  if (!isInOrder) return null
  return cells.map((cell, at) => ({ ...cell, column: placed[at] ?? 0 }))
}

/** A name that stands above others covers those of them that it is nearest to. */
function widen(head: readonly PlacedCell[], below: readonly PlacedCell[]): Cell[] {
  const over = head.filter(({ column }) => below.some((cell) => cell.column === column))
  if (below[0]?.column === 0 || over.length === 0) return [...head]
  const nearest = below.map((name) => {
    const apart = over.map((cell) => Math.abs(cell.from + cell.to - name.from - name.to))
    return { column: name.column, cell: over[apart.indexOf(Math.min(...apart))] }
  })
  return head.map((cell) => {
    const own = nearest.filter((name) => name.cell === cell).map(({ column }) => column)
    const first = own[0] ?? cell.column
    return { column: first, text: cell.text, columns: (own.at(-1) ?? first) - first + 1 }
  })
}

const overlap = (one: Column, other: Column = one): number =>
  Math.min(one.to, other.to) - Math.max(one.from, other.from)
