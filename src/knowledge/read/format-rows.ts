import { checkLength } from './read-refusal'

/** A cell with text; empty cells are left out, so that a row costs what it holds, wherever its cells stand. */
export interface Cell {
  column: number
  text: string
  /** How many columns it covers, where more than one. */
  columns?: number
}

const NUMERIC = /^[-+(]?\p{Sc}?\s?\d[\d\s.,:/%-]*[\p{Sc}%)]?$/u
const MAX_HEADER_LENGTH = 60
const ROWS_LOOKED_AT = 10
/** Tables with more columns have one row of names. */
const MOST_NAMED = 200
/** From so many columns on a row with one cell, in the first of them, names the rows below it. */
const GROUPED_COLUMNS = 3

/** A label, which may be said of each row or column that it stands for. */
export const isShort = (text: string): boolean => text.length <= MAX_HEADER_LENGTH
const widthOf = ({ columns = 1 }: Cell): number => columns

/**
 * Turns a sheet's rows into lines of text. With a header row every line names its columns (`Price: 5 | City: Paris`), so that a
 * row can be found and quoted on its own; without one the cells follow each other. Empty rows vanish.
 */
export function formatRows(rows: readonly (readonly Cell[])[]): string[] {
  const filled = rows.map(cleanRow).filter((row) => row.length > 0)
  return nameCells(filled, findHeader(filled))
}

/**
 * The same for a table of a text: where it marks its header (`marked`), that is it. A table of two columns that marks none is
 * as often a list of names and values; its first row is a header only where figures stand below words.
 */
export function formatTable(table: readonly (readonly Cell[])[], marked: boolean): string[] {
  const rows = table.map(cleanRow).filter((row) => row.length > 0)
  if (marked) return rows.length === 1 ? nameCells(rows, -1) : nameCells(rows, 0)
  const headerAt = findHeader(rows)
  const columns = Math.max(...rows.map((row) => row.length))
  const below = rows.slice(headerAt + 1).flatMap((row) => row.slice(1))
  const isList = columns === 2 && !below.every(({ text }) => /\p{N}/u.test(text))
  return nameCells(rows, isList ? -1 : headerAt)
}

function nameCells(filled: readonly (readonly Cell[])[], headerAt: number): string[] {
  const below = headerAt < 0 ? 0 : findBody(filled, headerAt)
  const names = nameColumns(filled.slice(Math.max(headerAt, 0), below))
  let length = 0
  const lines: string[] = []
  let above: Cell | null = null
  for (const [i, cells] of filled.entries()) {
    if (i >= headerAt && i < below) continue
    const row: readonly Cell[] = above && names.has(0) && isMore(cells) ? [above, ...cells] : cells
    const [first] = row
    above = first?.column === 0 && row.length > 1 && isLabel(first.text) ? first : null
    const line = formatRow(row, i < headerAt ? null : names)
    length += line.length
    checkLength(length)
    lines.push(line)
  }
  return lines
}

/** Whether a row leaves out only the name it shares with the row above it; figures alone are a sum. */
function isMore(row: readonly Cell[]): boolean {
  return row.length > 1 && row[0]?.column === 1 && row.some(({ text }) => !NUMERIC.test(text))
}

/**
 * Where the rows below the header begin. A header's cell that covers several columns has a row of their own names below it,
 * which says nothing anew of the other columns.
 */
function findBody(rows: readonly (readonly Cell[])[], headerAt: number): number {
  const header = rows[headerAt] ?? []
  const next = rows[headerAt + 1] ?? []
  const nameOf = ({ column }: Cell) =>
    header.find((cell) => column >= cell.column && column < cell.column + widthOf(cell))
  const goesOn =
    rows.length > headerAt + 2 &&
    header.length < MOST_NAMED &&
    next.every((cell) => {
      const name = nameOf(cell)
      if (name && widthOf(name) === 1) return name.text === cell.text
      return (
        isLabel(cell.text) &&
        (name !== undefined || /^(?=[^\p{L}]*\p{L})[^\p{N}]*$/u.test(cell.text))
      )
    }) &&
    next.some((cell) => widthOf(nameOf(cell) ?? cell) > 1)
  return headerAt + (goesOn ? 2 : 1)
}

/** The columns' names; a name above several columns stands before each one's own. */
function nameColumns(headers: readonly (readonly Cell[])[]): Map<number, string> {
  const names = new Map<number, string>()
  for (const cell of headers.flat()) {
    for (let at = cell.column; at < cell.column + widthOf(cell); at++) {
      const above = names.get(at)
      names.set(
        at,
        above === undefined || above === cell.text ? cell.text : `${above} ${cell.text}`,
      )
    }
  }
  return names
}

function cleanRow(row: readonly Cell[]): Cell[] {
  return row
    .map((cell) => ({ ...cell, text: cell.text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '')
}

function formatRow(row: readonly Cell[], names: ReadonlyMap<number, string> | null): string {
  const [first, second] = row
  if (names === null || !first) return row.map(({ text }) => text).join(' | ')
  const isGroup = !second && first.column === 0 && names.size >= GROUPED_COLUMNS
  return isGroup ? first.text : row.flatMap((cell) => nameCell(cell, names)).join(' | ')
}

/** A cell once for each column that it covers; a long one is said once. */
function nameCell(cell: Cell, names: ReadonlyMap<number, string>): string[] {
  const said: string[] = []
  const width = isShort(cell.text) ? widthOf(cell) : 1
  for (let at = cell.column; at < cell.column + width; at++) {
    const name = names.get(at)
    if (name) said.push(`${name}: ${cell.text}`)
  }
  return said.length > 0 ? said : [cell.text]
}

/**
 * The header is the first row with at least two cells, when rows follow and these cells are distinct short labels, no figures
 * and no sentences, which name as many columns as the fullest of the next rows fills. Rows above it are captions. -1 when there is none.
 */
function findHeader(rows: readonly (readonly Cell[])[]): number {
  const at = rows.slice(0, ROWS_LOOKED_AT).findIndex((row) => row.length >= 2)
  const row = rows[at]
  const next = rows.slice(at + 1, at + 1 + ROWS_LOOKED_AT)
  if (!row || next.length === 0) return -1
  const labels = row.map(({ text }) => text)
  const isHeader =
    labels.every(isLabel) &&
    new Set(labels).size === labels.length &&
    reachOf(row) >= Math.max(...next.map(reachOf))
  return isHeader ? at : -1
}

/** How many columns a row fills; the corner above the rows' own names is often left empty. */
function reachOf(row: readonly Cell[]): number {
  return row.reduce((sum, cell) => sum + widthOf(cell), row[0]?.column === 1 ? 1 : 0)
}

function isLabel(text: string): boolean {
  return text.length <= MAX_HEADER_LENGTH && !NUMERIC.test(text) && !/[.!?。！？]$/.test(text)
}
