/** A token of PDF syntax, by its place in the file. */
export interface PdfToken {
  kind: 'name' | 'word' | 'string' | 'open' | 'close'
  /** Names without the slash and with their escapes resolved; strings come without their content. */
  text: string
  start: number
  end: number
}

/** Values of the wanted keys of a dictionary as tokens, at most `MAX_VALUE_TOKENS` each. */
export type PdfDictionary = Map<string, PdfToken[]>

export const MAX_VALUE_TOKENS = 64

const REGULAR = 0
const SPACE = 1
const DELIMITER = 2
/** What each byte is to the syntax. */
const CLASSES = makeClasses()

function makeClasses(): Uint8Array {
  const classes = new Uint8Array(256)
  for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = SPACE
  for (const char of '()<>[]{}/%') classes[char.charCodeAt(0)] = DELIMITER
  return classes
}

/** Reads PDF syntax (ISO 32000-2, 7.2 and 7.3) from a place in the file; no recursion, whatever is nested. */
export class PdfLexer {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  /** The wanted entries of the dictionary that starts here, null when none does or it does not end. */
  readDictionary(wanted: ReadonlySet<string>): PdfDictionary | null {
    const first = this.next()
    if (first?.kind !== 'open' || first.text !== '<<') return null
    const entries: PdfDictionary = new Map()
    let value: PdfToken[] | null = null
    // A name is a key when the value before it is complete, that is, has at least one token.
    let valueTokens = 1
    let depth = 1
    for (let token = this.next(); token; token = this.next()) {
      if (token.kind === 'open') depth += 1
      if (token.kind === 'close') depth -= 1
      if (depth === 0) return entries
      if (depth === 1 && token.kind === 'name' && valueTokens > 0) {
        valueTokens = 0
        value = wanted.has(token.text) ? [] : null
        if (value) entries.set(token.text, value)
      } else {
        valueTokens += 1
        if (value && value.length < MAX_VALUE_TOKENS) value.push(token)
      }
    }
    return null
  }

  /** Whether this word comes next, comments and white space aside. */
  takesWord(word: string): boolean {
    const token = this.next()
    return token?.kind === 'word' && token.text.startsWith(word)
  }

  /** The next token, null at the end of the file. */
  next(): PdfToken | null {
    this.#skipSpace()
    const start = this.at
    const byte = this.#bytes[start]
    if (byte === undefined) return null
    const char = String.fromCharCode(byte)
    if (char === '/') return this.#makeName(start)
    if (char === '(') return this.#skipString(start)
    const pair = char + String.fromCharCode(this.#bytes[start + 1] ?? 0)
    if (pair === '<<' || pair === '>>') {
      this.at += 2
      return this.#make(pair === '<<' ? 'open' : 'close', start)
    }
    if (char === '<') return this.#skipHexString(start)
    this.at += 1
    if (char === '[' || char === '{') return this.#make('open', start)
    if (char === ']' || char === '}') return this.#make('close', start)
    if (CLASSES[byte] !== DELIMITER) this.#skipRegular()
    return this.#make('word', start)
  }

  #make(kind: PdfToken['kind'], start: number): PdfToken {
    const end = this.at
    const text =
      kind === 'string' ? '' : latin1(this.#bytes.subarray(start, Math.min(end, start + 200)))
    return { kind, text, start, end }
  }

  #makeName(start: number): PdfToken {
    this.at += 1
    this.#skipRegular()
    const token = this.#make('name', start)
    const text = token.text
      .slice(1)
      .replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    return { ...token, text }
  }

  #skipRegular(): void {
    for (; this.at < this.#bytes.length; this.at++) {
      if (CLASSES[this.#bytes[this.at] ?? 0] !== REGULAR) return
    }
  }

  #skipSpace(): void {
    for (; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at] ?? 0
      if (byte === 0x25) this.#skipComment()
      else if (CLASSES[byte] !== SPACE) return
    }
  }

  #skipComment(): void {
    while (this.at + 1 < this.#bytes.length) {
      const next = this.#bytes[this.at + 1]
      if (next === 10 || next === 13) return
      this.at += 1
    }
  }

  #skipString(start: number): PdfToken {
    let depth = 0
    for (; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at]
      if (byte === 0x5c) this.at += 1
      else if (byte === 0x28) depth += 1
      else if (byte === 0x29) depth -= 1
      if (depth === 0) break
    }
    this.at += 1
    return this.#make('string', start)
  }

  #skipHexString(start: number): PdfToken {
    const end = this.#bytes.indexOf(0x3e, start)
    this.at = end < 0 ? this.#bytes.length : end + 1
    return this.#make('string', start)
  }
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
