import { checkLength } from './read-refusal'

/** Collects the cells of one table into rows `a | b | c`; empty rows vanish. */
export class TableRows {
  readonly #rows: string[] = []
  #cells: string[][] = []
  #length = 0
  /** Cells of the widest row; known once the table is finished. */
  columns = 0

  openRow(): void {
    this.#endRow()
  }

  openCell(): void {
    this.#cells.push([])
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
    return this.#rows
  }

  #endRow(): void {
    const cells = this.#cells.map((cell) => cell.join(' ').replaceAll('|', '/'))
    this.#cells = []
    if (!cells.some((cell) => cell !== '')) return
    this.#rows.push(cells.join(' | '))
    this.columns = Math.max(this.columns, cells.length)
  }
}
