import { type Cell, formatTable } from './format-rows'
import { checkLength } from './read-refusal'

/** Collects the cells of one table into rows `a | b | c`, with its header's cells in every row; empty rows vanish. */
export class TableRows {
  readonly #rows: Cell[][] = []
  #cells: string[][] = []
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
    this.#cells.push([])
    if (isHeader) this.#headers += 1
  }

  /** Adds text to the open cell; paragraphs of one cell follow each other on its line. */
  addText(text: string): void {
    this.#length += text.length
    checkLength(this.#length)
    const line = text.replace(/\s+/g, ' ').trim()
    if (line) this.#cells.at(-1)?.push(line)
  }

  finish(): string[] {
    this.#endRow()
    return formatTable(this.#rows, this.#isHeaded)
  }

  #endRow(): void {
    const cells = this.#cells.map((cell) => cell.join(' ').replaceAll('|', '/'))
    const isHeaded = this.#headers > 1 && this.#headers === cells.length
    this.#cells = []
    this.#headers = 0
    if (!cells.some((cell) => cell !== '')) return
    if (this.#rows.length === 0) this.#isHeaded = isHeaded
    this.#rows.push(cells.map((text, column) => ({ column, text })))
    this.columns = Math.max(this.columns, cells.length)
  }
}
