import {
  type Markdown,
  type MarkedToken,
  readMarkdown,
  type Token,
  type Tokens,
} from '../../text/markdown'
import type { ParsedDocument } from '../types'
import { cutAtBoldLines, opensBold } from './bold-headings'
import { joinSoftBreaks } from './clean-text'
import { DocumentBuilder } from './document-builder'
import { formatTable } from './format-rows'
import { HARD_BREAK, inlineText } from './inline-text'
import { readHtml } from './read-html'

const MAX_INDENT = 8
/** Bold lines that make them a habit of the document. */
const HABIT = 2
const COMMENT = /^\s*<!--([\s\S]*?)(?:-->|$)/

/**
 * Reads Markdown: headings, lists, tables and code keep their structure; markup and front matter do not reach the text. Other
 * ways to ask, a comment below a heading (`<!-- asked: … -->`), belong to that heading.
 */
export function readMd(source: string): ParsedDocument {
  const { body, title } = splitFrontMatter(source)
  return new MarkdownDocument(readMarkdown(body)).write(title)
}

function splitFrontMatter(source: string): { body: string; title: string | null } {
  const lines = source.split(/\r\n?|\n/)
  const end = lines[0]?.trimEnd() === '---' ? lines.indexOf('---', 1) : -1
  if (end < 0) return { body: source, title: null }
  const line = lines.slice(1, end).find((candidate) => candidate.startsWith('title:'))
  const title = line
    ?.slice('title:'.length)
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
  return { body: lines.slice(end + 1).join('\n'), title: title || null }
}

interface Item {
  prefix: string
  parts: string[]
}

class MarkdownDocument {
  readonly #markdown: Markdown
  readonly #builder = new DocumentBuilder()
  #title: string | null = null
  /** Level of the heading before. */
  #level = 1
  readonly #isBoldHabit: boolean
  /** Items of the list that is being written, or of lists that follow each other. */
  #items: Item[] = []

  constructor(markdown: Markdown) {
    this.#markdown = markdown
    const bold = (markdown.blocks as readonly Token[]).filter(
      ({ type, raw }) => type === 'paragraph' && opensBold(raw),
    )
    this.#isBoldHabit = bold.length >= HABIT
  }

  write(title: string | null): ParsedDocument {
    this.#title = title
    this.#blocks(this.#markdown.blocks)
    this.#endList()
    return this.#builder.finish(this.#title)
  }

  #blocks(tokens: readonly Token[]): void {
    const blocks = (tokens as readonly MarkedToken[]).filter(({ type }) => type !== 'space')
    for (const [at, token] of blocks.entries()) {
      if (token.type !== 'list') this.#endList()
      this.#block(token, blocks[at + 1])
    }
  }

  #block(token: MarkedToken, next?: MarkedToken): void {
    if (token.type === 'heading') this.#heading(token)
    else if (token.type === 'code') this.#builder.code(token.text)
    else if (token.type === 'table') this.#table(token)
    else if (token.type === 'blockquote') this.#blocks(token.tokens)
    else if (token.type === 'list') this.#list(token, 0)
    else if (token.type === 'html') {
      this.#builder.comment(COMMENT.exec(token.text)?.[1] ?? '')
      this.#html(token.text.replace(COMMENT, ''))
    } else if (token.type === 'paragraph' || token.type === 'text') {
      this.#paragraph(token.text, next !== undefined && isBody(next))
    }
  }

  /** Blocks of HTML, as a page's are read: headings, lists and tables are what they are there. */
  #html(source: string): void {
    const { text, blocks } = readHtml(source)
    for (const { start, end, ...block } of blocks) {
      const part = text.slice(start, end)
      if (block.kind === 'heading') this.#name(block.level, part)
      else if (block.kind === 'list') this.#builder.list(part.split('\n'))
      else if (block.kind === 'table') this.#builder.table(part.split('\n'))
      else if (block.kind === 'code') this.#builder.code(part.split('\n').slice(1, -1).join('\n'))
      else this.#builder.paragraph(part)
    }
  }

  #paragraph(source: string, goesOn: boolean): void {
    for (const part of cutAtBoldLines(source, goesOn, this.#isBoldHabit))
      if (part.kind === 'heading') this.#builder.heading(this.#level + 1, this.#bare(part.source))
      else this.#builder.paragraph(this.#lines(part.source).join('\n'))
  }

  /** Running text with its hard breaks; where the source is wrapped, it goes on. */
  #lines(source: string): string[] {
    return inlineText(this.#markdown.inline(source)).split(HARD_BREAK).map(joinSoftBreaks)
  }

  #line(source: string): string {
    return this.#lines(source).join(' ')
  }

  #heading({ depth, text }: Tokens.Heading): void {
    this.#name(depth, this.#bare(text))
  }

  /** A name without marks. */
  #bare(source: string): string {
    return this.#line(source).replaceAll('`', '')
  }

  #name(depth: number, name: string): void {
    this.#level = depth
    this.#builder.heading(depth, name)
    if (depth === 1) this.#title ??= name
  }

  #table({ header, rows }: Tokens.Table): void {
    const cells = [header, ...rows].map((row) =>
      row.map(({ text }, column) => ({ column, text: this.#line(text) })),
    )
    this.#builder.table(formatTable(cells, cells[0]?.some(({ text }) => text !== '') ?? false))
  }

  #list({ items, ordered, start }: Tokens.List, depth: number): void {
    const indent = '  '.repeat(Math.min(depth, MAX_INDENT))
    for (const [i, item] of items.entries()) {
      const mark = ordered ? `${Number(start) + i}.` : '-'
      this.#items.push({ prefix: `${indent}${mark} `, parts: [] })
      this.#inItem(item.tokens, depth)
    }
  }

  /** All running text of an item is one line; code and tables stand by themselves, and what follows them is a paragraph. */
  #inItem(tokens: readonly Token[], depth: number): void {
    for (const token of tokens as readonly MarkedToken[]) {
      const item = this.#items.at(-1)
      if (token.type === 'list') this.#list(token, depth + 1)
      else if (token.type === 'blockquote') this.#inItem(token.tokens, depth)
      else if (token.type === 'checkbox') item?.parts.push(token.raw.trim())
      else if (item && isRunningText(token)) item.parts.push(this.#line(token.text))
      else this.#blocks([token])
    }
  }

  #endList(): void {
    if (this.#items.length === 0) return
    this.#builder.list(this.#items.map(({ prefix, parts }) => prefix + parts.join(' ')))
    this.#items = []
  }
}

function isRunningText(
  token: MarkedToken,
): token is Tokens.Text | Tokens.Paragraph | Tokens.Heading {
  return token.type === 'text' || token.type === 'paragraph' || token.type === 'heading'
}

/** What stands under a heading: anything but the next heading. */
function isBody(token: MarkedToken): boolean {
  if (token.type === 'paragraph') return !opensBold(token.text)
  return ['text', 'list', 'table', 'code', 'blockquote'].includes(token.type)
}
