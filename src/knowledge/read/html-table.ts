const PARTS = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'])

/** Collects the cells of one table into rows `a | b | c`. */
export class HtmlTable {
  readonly #rows: string[] = []
  #cells: string[] = []
  #cell: string[] | null = null
  #inCaption = false
  caption = ''
  columns = 0

  static knows(name: string): boolean {
    return PARTS.has(name)
  }

  /** Whether text now belongs to a cell (or the caption), so that blocks inside do not end it. */
  get inCell(): boolean {
    return this.#cell !== null || this.#inCaption
  }

  addText(text: string): void {
    const line = text.replaceAll('\n', ' ').trim()
    if (line === '') return
    if (this.#inCaption) this.caption = this.caption ? `${this.caption} ${line}` : line
    else this.#cell?.push(line)
  }

  open(name: string): void {
    if (name === 'td' || name === 'th') {
      this.#endCell()
      this.#cell = []
    } else if (name === 'caption') {
      this.#inCaption = true
    } else {
      this.#endRow()
    }
  }

  close(name: string): void {
    if (name === 'td' || name === 'th') this.#endCell()
    else if (name === 'caption') this.#inCaption = false
    else this.#endRow()
  }

  finish(): string[] {
    this.#endRow()
    return this.#rows
  }

  #endCell(): void {
    this.#inCaption = false
    if (this.#cell) this.#cells.push(this.#cell.join(' ').replaceAll('|', '/'))
    this.#cell = null
  }

  #endRow(): void {
    this.#endCell()
    if (this.#cells.some((cell) => cell !== '')) {
      this.#rows.push(this.#cells.join(' | '))
      this.columns = Math.max(this.columns, this.#cells.length)
    }
    this.#cells = []
  }
}
