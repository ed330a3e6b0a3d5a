import { type Markdown, type MarkedToken, readMarkdown, type Token } from './markdown'

/** `[2]`, `[1, 3]`. */
const MARK = /\s?\[(\d{1,3}(?:, ?\d{1,3})*)\]/gu

/**
 * What is said of a reply when it is read aloud: its words, without the signs of Markdown, addresses and citation marks. A line
 * for each block, item and row.
 * @param cited the numbers of the reply's sources: other numbers in brackets are words.
 */
export function spokenWords(markdown: string, cited: ReadonlySet<number>): string {
  const lines = new Reader(readMarkdown(markdown), cited).lines
  return lines
    .map((line) => line.replace(/\s+/gu, ' ').trim())
    .filter(Boolean)
    .join('\n')
}

class Reader {
  readonly lines: string[] = []
  readonly #markdown: Markdown
  readonly #cited: ReadonlySet<number>

  constructor(markdown: Markdown, cited: ReadonlySet<number>) {
    this.#markdown = markdown
    this.#cited = cited
    this.#blocks(markdown.blocks)
  }

  #blocks(tokens: readonly Token[]): void {
    for (const token of tokens as readonly MarkedToken[]) this.#block(token)
  }

  #block(token: MarkedToken): void {
    if (token.type === 'heading' || token.type === 'paragraph' || token.type === 'text')
      this.lines.push(this.#words(token.text))
    else if (token.type === 'code') this.lines.push(...token.text.split('\n'))
    else if (token.type === 'blockquote') this.#blocks(token.tokens)
    else if (token.type === 'list') for (const item of token.items) this.#blocks(item.tokens)
    else if (token.type === 'table')
      for (const row of [token.header, ...token.rows])
        this.lines.push(row.map(({ text }) => this.#words(text)).join(', '))
  }

  #words(text: string): string {
    return this.#said(this.#markdown.inline(text))
  }

  #said(tokens: readonly Token[]): string {
    return (tokens as readonly MarkedToken[]).map((token) => this.#one(token)).join('')
  }

  #one(token: MarkedToken): string {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
      case 'link':
        return this.#said(token.tokens)
      case 'image':
      case 'codespan':
        return token.text
      case 'br':
        return ' '
      case 'html':
        return ''
      case 'text':
      case 'escape':
        return token.text.replaceAll(MARK, (mark, numbers: string) =>
          numbers.split(',').every((n) => this.#cited.has(Number(n))) ? '' : mark,
        )
      default:
        return token.raw
    }
  }
}
