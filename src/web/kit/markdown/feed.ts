/**
 * Prepares streamed Markdown for the parser. Two characters mean markup to it where writers mean themselves: `$`
 * (prices and variables, not formulas) and `_` inside a word (identifiers). They travel as private-use characters
 * and are put back by `restore` when text reaches the page.
 */
const DOLLAR = '\uE000'
const UNDERSCORE = '\uE001'
const WORD = /[\p{L}\p{N}_]/u

/** Overrides of the writing direction can make a text or an address read as another; the softer marks stay. */
const OVERRIDES = /[\u202D\u202E\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu

export class MarkdownFeed {
  #last = ''
  #held = ''

  /** The next piece, ready for the parser; an underscore at the very end waits for what follows it. */
  push(chunk: string): string {
    const text = this.#held + chunk
    this.#held = ''
    let out = ''
    const chars = [...text]
    for (const [i, char] of chars.entries()) {
      if (char === '_' && WORD.test(this.#last)) {
        const next = chars[i + 1]
        if (next === undefined) {
          this.#held = char
          return out
        }
        out += WORD.test(next) ? UNDERSCORE : char
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
