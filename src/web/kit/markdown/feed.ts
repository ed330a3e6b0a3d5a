/**
 * Prepares streamed Markdown for the parser. Two characters mean markup to it where writers mean themselves: `$`
 * (prices and variables, not formulas) and `_` inside a word (identifiers). They travel as private-use characters
 * and are put back by `restore` when text reaches the page.
 */
export const DOLLAR = '\uE000'
const UNDERSCORE = '\uE001'
const WORD = /[\p{L}\p{N}]/u

/** Overrides of the writing direction can make a text or an address read as another; the softer marks stay. */
const OVERRIDES = /[\u202D\u202E\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu

/** What stands for a character by name or number, and what may become that. */
const REFERENCE = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi
const BEGUN = /&#?[\da-z]{0,6}$/i
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
}

/** A whole text with the characters that are meant in it; not for code, which means what it says. */
export const dereference = (text: string): string =>
  text.replace(REFERENCE, (all, name?: string, decimal?: string, hex?: string) =>
    name === undefined
      ? String.fromCodePoint(
          decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal),
        )
      : (NAMED[name.toLowerCase()] ?? all),
  )

/** The same for a text that comes in pieces. */
export class References {
  #begun = ''

  /** What is certain by now; the begin of a reference waits for what follows. */
  take(piece: string): string {
    const text = this.#begun + piece
    this.#begun = BEGUN.exec(text)?.[0] ?? ''
    return dereference(text.slice(0, text.length - this.#begun.length))
  }

  /** What was still held back. */
  rest(): string {
    const rest = this.#begun
    this.#begun = ''
    return rest
  }
}

export class MarkdownFeed {
  #last = ''
  #held = ''

  /** The next piece, ready for the parser; underscores at the very end wait for what follows. */
  push(chunk: string): string {
    const chars = [...(this.#held + chunk)]
    this.#held = ''
    let out = ''
    for (let i = 0; i < chars.length; i++) {
      const char = chars[i] ?? ''
      if (char === '_' && WORD.test(this.#last)) {
        // Several together are one sign: `__so__` is strong, `a__b` a word.
        let end = i
        while (chars[end] === '_') end++
        const next = chars[end]
        const run = '_'.repeat(end - i)
        if (next === undefined) {
          this.#held = run
          return out
        }
        out += WORD.test(next) ? UNDERSCORE.repeat(run.length) : run
        i = end - 1
      } else {
        out += char === '$' ? DOLLAR : char
      }
      this.#last = char
    }
    return out
  }

  /** What was still held back at the end of the text. */
  end(): string {
    const rest = this.#held
    this.#held = ''
    return rest
  }
}

/** Text as the writer meant it, without direction overrides and invisible tag characters. */
export function restore(text: string): string {
  return text.replaceAll(DOLLAR, '$').replaceAll(UNDERSCORE, '_').replace(OVERRIDES, '')
}
