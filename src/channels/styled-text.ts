import type { Markdown, MarkedToken, ReadMarkdown, Token, Tokens } from '../text/markdown'

/** How a stretch of text looks. `block` is preformatted text of its own. */
export interface Style {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
  block?: boolean
  quote?: boolean
  href?: string
}

export interface Run {
  text: string
  style: Style
}

const PLAIN: Style = {}
const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** Markdown as stretches of text with their looks: what a messenger can show of it. Raw HTML stays text. */
export function readStyled(markdown: string, read: ReadMarkdown): Run[] {
  const styler = new Styler(read(markdown))
  return styler.runs.filter(({ text }) => text !== '')
}

class Styler {
  readonly runs: Run[] = []
  readonly #markdown: Markdown

  constructor(markdown: Markdown) {
    this.#markdown = markdown
    this.#blocks(markdown.blocks, PLAIN, '')
  }

  #add(text: string, style: Style): void {
    this.runs.push({ text, style })
  }

  /** Blocks are as many lines apart as they were written. */
  #blocks(tokens: readonly Token[], style: Style, indent: string): void {
    for (const token of tokens as readonly MarkedToken[]) {
      this.#block(token, style, indent)
      if (token !== tokens.at(-1)) this.#add(/(?<!\n)\n*$/.exec(token.raw)?.[0] ?? '', PLAIN)
    }
  }

  #block(token: MarkedToken, style: Style, indent: string): void {
    if (token.type === 'heading') this.#inline(token.text, { ...style, bold: true })
    else if (token.type === 'paragraph' || token.type === 'text') this.#inline(token.text, style)
    else if (token.type === 'code') this.#add(token.text, { block: true })
    else if (token.type === 'table') this.#add(this.#tableText(token), { block: true })
    else if (token.type === 'blockquote')
      this.#blocks(token.tokens, { ...style, quote: true }, indent)
    else if (token.type === 'list') this.#list(token, style, indent)
    else if (token.type === 'hr') this.#add('———', style)
    else if (token.type === 'html') this.#add(token.raw.trimEnd(), style)
  }

  #list({ items, ordered, start }: Tokens.List, style: Style, indent: string): void {
    for (const [i, item] of items.entries()) {
      const [first, ...others] = item.tokens
      const mark = item.task ? (item.checked ? '☑' : '☐') : ordered ? `${Number(start) + i}.` : '•'
      this.#add(`${indent}${mark} `, style)
      this.#blocks(first?.type === 'checkbox' ? others : item.tokens, style, `${indent}  `)
      if (item !== items.at(-1)) this.#add(/(?<!\n)\n*$/.exec(item.raw)?.[0] ?? '', PLAIN)
    }
  }

  #tableText({ header, rows }: Tokens.Table): string {
    const lines = [header, ...rows].map((row) => {
      const cells = row.map(({ text }) => textOf(this.#runsOf(this.#markdown.inline(text), PLAIN)))
      return `| ${cells.join(' | ')} |`
    })
    return lines.join('\n')
  }

  #inline(text: string, style: Style): void {
    this.runs.push(...this.#runsOf(this.#markdown.inline(text), style))
  }

  #runsOf(tokens: readonly Token[], style: Style): Run[] {
    return (tokens as readonly MarkedToken[]).flatMap((token) => this.#runsOfOne(token, style))
  }

  #runsOfOne(token: MarkedToken, style: Style): Run[] {
    switch (token.type) {
      case 'strong':
        return this.#runsOf(token.tokens, { ...style, bold: true })
      case 'em':
        return this.#runsOf(token.tokens, { ...style, italic: true })
      case 'del':
        return this.#runsOf(token.tokens, { ...style, strike: true })
      case 'codespan':
        return [{ text: token.text, style: { ...style, code: true } }]
      case 'link':
      case 'image':
        return this.#link(token, style)
      case 'br':
        return [{ text: '\n', style }]
      case 'text':
      case 'escape':
        return [{ text: token.text, style }]
      default:
        return [{ text: token.raw, style }]
    }
  }

  /** A picture becomes a link to it: nothing is loaded that the reader did not open. What was typed as it is stays text. */
  #link(token: Tokens.Link | Tokens.Image, style: Style): Run[] {
    const { href, raw, tokens } = token
    if (token.type === 'link' && token.text === raw) return [{ text: raw, style }]
    const runs = this.#runsOf(tokens, style)
    const shown = textOf(runs) === '' ? [{ text: href, style }] : runs
    if (!isWebAddress(href)) return shown
    return shown.map((run) => ({ ...run, style: { ...run.style, href } }))
  }
}

const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

/** Absolute, and of a scheme that a reply may link to. */
export function isWebAddress(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && LINK_SCHEMES.has(url.protocol) && url.username === ''
}
