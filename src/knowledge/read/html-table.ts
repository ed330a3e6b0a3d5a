import { TableRows } from './table-rows'

const PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'])

/** One HTML table, whose end tags may all be missing. */
export class HtmlTable {
  readonly #rows = new TableRows()
  #open: 'cell' | 'caption' | null = null
  #rowEnded = false
  readonly #caption: string[] = []

  static knows(name: string): boolean {
    return PARTS.has(name)
  }

  get caption(): string {
    return this.#caption.join(' ').trim()
  }

  get columns(): number {
    return this.#rows.columns
  }

  /** Whether text now belongs to a cell or the caption, so that blocks inside do not end it. */
  get inCell(): boolean {
    return this.#open !== null
  }

  addText(text: string): void {
    if (this.#open === 'caption') this.#caption.push(text)
    else if (this.#open === 'cell') this.#rows.addText(text)
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#open = null
    if (name === 'td' || name === 'th') {
      if (this.#rowEnded) this.#rows.openRow()
      this.#rowEnded = false
      this.#rows.openCell(name === 'th')
      this.#rows.span(attributes.get('colspan'), attributes.get('rowspan'))
      this.#open = 'cell'
    } else if (name === 'caption') {
      this.#open = 'caption'
    } else {
      this.#rows.openRow()
      this.#rowEnded = false
    }
  }

  close(name: string): void {
    this.#open = null
    // A cell that follows begins a row, with its tag or without.
    this.#rowEnded ||= name === 'tr'
  }

  finish(): string[] {
    return this.#rows.finish()
  }
}
