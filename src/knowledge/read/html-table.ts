import { TableRows } from './table-rows'

const PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'])
const FIGURES = /^\s*\d[\d\s]*$/u

/** One HTML table, whose end tags may all be missing. */
export class HtmlTable {
  readonly #rows = new TableRows()
  #open: 'cell' | 'caption' | null = null
  #rowEnded = false
  readonly #caption: string[] = []
  /** Code and figures in its cells, as long as they hold nothing else. */
  #listing: { code: string[]; figures: string[] } | null = { code: [], figures: [] }

  static knows(name: string): boolean {
    return PARTS.has(name)
  }

  get caption(): string {
    return this.#caption.join(' ').trim()
  }

  get columns(): number {
    return this.#rows.columns
  }

  /** The code of a table that only numbers its lines. */
  get listing(): string {
    const { code, figures } = this.#listing ?? { code: [], figures: [] }
    const numbers = figures.flatMap((text) => text.trim().split(/\s+/u)).map(Number)
    const isCount = numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1)
    return isCount ? code.join('\n') : ''
  }

  /** Whether text now belongs to a cell or the caption, so that blocks inside do not end it. */
  get inCell(): boolean {
    return this.#open !== null
  }

  addCode(text: string): void {
    if (FIGURES.test(text)) this.#listing?.figures.push(text)
    else this.#listing?.code.push(text)
    this.#rows.addText(text)
  }

  addText(text: string): void {
    if (this.#open === 'caption') {
      this.#caption.push(text)
      return
    }
    if (FIGURES.test(text)) this.#listing?.figures.push(text)
    else if (text !== '') this.#listing = null
    if (this.#open === 'cell') this.#rows.addText(text)
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
