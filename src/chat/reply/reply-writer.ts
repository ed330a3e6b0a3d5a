/** Puts checked text together: numbers marks in, and closes the gaps that removed marks leave. */
export class ReplyWriter {
  #out = ''
  /** Spaces at the end, held because a removed mark may follow. */
  #space = ''
  #removed = false
  #started = false
  /** The marks since the last text: two alike side by side are one. */
  #marks = new Set<number>()
  #taken = 0

  /** Where text that comes next would begin, and where the text so far ends, in UTF-16 units from the start. */
  get next(): number {
    return this.end + this.#space.length
  }

  get end(): number {
    return this.#taken + this.#out.length
  }

  text(text: string): void {
    const plain = this.#started ? text : text.replace(/^\s+/u, '')
    if (plain === '') return
    if (this.#removed && !/^[\p{L}\p{N}\p{Ps}\p{Pi}"'`*_~$€£¿¡]/u.test(plain)) this.#space = ''
    this.#removed = false
    const end = /(?<![ \t])[ \t]*$/u.exec(plain)?.index ?? plain.length
    if (end > 0) {
      this.#out += this.#space + plain.slice(0, end)
      this.#space = ''
      this.#started = true
    }
    this.#space += plain.slice(end)
    if (end > 0) this.#marks.clear()
  }

  /** The numbers that a mark turned out to have: none, and it leaves no trace. */
  marks(numbers: readonly number[]): void {
    const fresh = numbers.filter((n) => !this.#marks.has(n))
    if (fresh.length === 0) {
      this.#removed = true
      return
    }
    for (const n of new Set(fresh)) {
      this.#out += `${this.#space}[${n}]`
      this.#space = ''
      this.#marks.add(n)
    }
    this.#started = true
    this.#removed = false
  }

  /** What is ready since the last call. */
  take(): string {
    const ready = this.#out
    this.#taken += ready.length
    this.#out = ''
    return ready
  }
}
