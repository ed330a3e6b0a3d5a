import { TableRows } from './table-rows'

const PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'])

/** One HTML table, whose end tags may all be missing. */
export class HtmlTable {
  readonly #rows = new TableRows()
  #open: 'cell' | 'caption' | null = null
  caption = ''

  static knows(name: string): boolean {
    return PARTS.has(name)
  }

  get columns(): number {
    return this.#rows.columns
  }

  /** Whether text now belongs to a cell or the caption, so that blocks inside do not end it. */
  get inCell(): boolean {
    return this.#open !== null
  }

  addText(text: string): void {
    if (this.#open === 'caption') this.caption = `${this.caption} ${text}`.trim()
    else if (this.#open === 'cell') this.#rows.addText(text)
  }

  open(name: string): void {
    this.#open = null
    if (name === 'td' || name === 'th') {
      this.#rows.openCell(name === 'th')
      this.#open = 'cell'
    } else if (name === 'caption') {
      this.#open = 'caption'
    } else {
      this.#rows.openRow()
    }
  }

  close(): void {
    this.#open = null
  }

  finish(): string[] {
    return this.#rows.finish()
  }
}
