import { type Cell, formatTable, isShort } from './format-rows'
import { checkLength } from './read-refusal'

/** A cell covers no more columns, and none beyond so many: wider tables are nothing that anybody reads. */
const MOST_COVERED = 100
const MOST_COLUMNS = 1000

interface OpenCell {
  lines: string[]
  columns: number
  rows: number
  /** It goes on with the cell above it. */
  mergedUp: boolean
}

/**
 * Collects the cells of one table into rows `a | b | c`, with its header's cells in every row; empty rows vanish. What a cell
 * that covers several rows says, each of them says, if it is short: a longer one serves the layout.
 */
export class TableRows {
  readonly #rows: Cell[][] = []
  #cells: OpenCell[] = []
  /** By column: cells that reach into the rows below. */
  readonly #above = new Map<number, { cell: Cell; rows: number }>()
  /** By column: what the row above says. */
  #before: ReadonlyMap<number, string> = new Map()
  #length = 0
  /** Cells of the widest row; known once the table is finished. */
  columns = 0
  /** Whether every cell of the first row with text is marked as a header. */
  #isHeaded = false
  #headers = 0

  openRow(): void {
    this.#endRow()
  }

  openCell(isHeader = false): void {
    this.#cells.push({ lines: [], columns: 1, rows: 1, mergedUp: false })
    if (isHeader) this.#headers += 1
  }

  /** How many columns and rows the open cell covers, as it is written there. */
  span(columns: string | undefined, rows?: string): void {
    const cell = this.#cells.at(-1)
    if (!cell) return
    cell.columns = Math.min(Math.max(Number.parseInt(columns ?? '', 10) || 1, 1), MOST_COVERED)
    cell.rows = Math.max(Number.parseInt(rows ?? '', 10) || 1, 1)
  }

  mergeUp(): void {
    const cell = this.#cells.at(-1)
    if (cell) cell.mergedUp = true
  }

  /** Adds text to the open cell; paragraphs of one cell follow each other on its line. */
  addText(text: string): void {
    this.#length += text.length
    checkLength(this.#length)
    const line = text.replace(/\s+/g, ' ').trim()
    if (line) this.#cells.at(-1)?.lines.push(line)
  }

  finish(): string[] {
    this.#endRow()
    return formatTable(this.#rows, this.#isHeaded)
  }

  #endRow(): void {
    const isHeaded = this.#headers > 1 && this.#headers === this.#cells.length
    const count = this.#cells.length
    const row = this.#placeCells()
    this.#cells = []
    this.#headers = 0
    if (!row.some(({ text }) => text !== '')) return
    if (this.#rows.length === 0) this.#isHeaded = isHeaded
    this.#rows.push(row)
    this.#before = new Map(row.map(({ column, text }) => [column, text]))
    this.columns = Math.max(this.columns, count)
  }

  #placeCells(): Cell[] {
    const row: Cell[] = []
    if (this.#cells.length === 0) return row
    let column = 0
    const reachDown = () => {
      for (let above = this.#above.get(column); above; above = this.#above.get(column)) {
        row.push(above.cell)
        this.#length += above.cell.text.length + 1
        checkLength(this.#length)
        above.rows -= 1
        if (above.rows === 0) this.#above.delete(column)
        column += above.cell.columns ?? 1
      }
    }
    for (const { lines, rows, mergedUp, ...open } of this.#cells) {
      reachDown()
      const at = column
      const columns = at < MOST_COLUMNS ? open.columns : 1
      const above = mergedUp ? this.#before.get(at) : undefined
      const own = lines.join(' ').replaceAll('|', '/')
      const text = own || (above && isShort(above) ? above : '')
      row.push({ column, text, columns })
      column += columns
      const said = { column: at, text: isShort(text) ? text : '', columns }
      if (rows > 1) this.#above.set(at, { cell: said, rows: rows - 1 })
    }
    reachDown()
    return row
  }
}
