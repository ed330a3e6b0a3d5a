import { checkLength } from './read-refusal'

/** A cell with text; empty cells are left out, so that a row costs what it holds, wherever its cells stand. */
export interface Cell {
  column: number
  text: string
}

const NUMERIC = /^[-+(]?\p{Sc}?\s?\d[\d\s.,:/%-]*[\p{Sc}%)]?$/u
const MAX_HEADER_LENGTH = 60
const ROWS_LOOKED_AT = 10

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
  const names = new Map((filled[headerAt] ?? []).map(({ column, text }) => [column, text]))
  let length = 0
  const lines: string[] = []
  for (const [i, row] of filled.entries()) {
    if (i === headerAt) continue
    const line = formatRow(row, i < headerAt ? null : names)
    length += line.length
    checkLength(length)
    lines.push(line)
  }
  return lines
}

function cleanRow(row: readonly Cell[]): Cell[] {
  return row
    .map(({ column, text }) => ({ column, text: text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '')
}

function formatRow(row: readonly Cell[], names: ReadonlyMap<number, string> | null): string {
  return row
    .map(({ column, text }) => {
      const name = names?.get(column)
      return name ? `${name}: ${text}` : text
    })
    .join(' | ')
}

/**
 * The header is the first row with at least two cells, when rows follow and these cells are distinct short labels, no figures
 * and no sentences, as many as the fullest of the next rows has. Rows above it are captions. -1 when there is none.
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
    labels.length >= Math.max(...next.map((cells) => cells.length))
  return isHeader ? at : -1
}

function isLabel(text: string): boolean {
  return text.length <= MAX_HEADER_LENGTH && !NUMERIC.test(text) && !/[.!?。！？]$/.test(text)
}
