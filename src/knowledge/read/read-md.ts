import type { ParsedDocument } from '../types'
import { joinSoftBreaks } from './clean-text'
import { DocumentBuilder } from './document-builder'
import { type Cell, formatTable } from './format-rows'
import { stripHeading, stripInlineMarkdown } from './strip-inline-markdown'

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ATX_HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*)|)$/
const LIST_ITEM = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(.*)$/
const TABLE_RULE = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/
const THEMATIC_BREAK = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const INDENTED = /^(?: {4}|\t)/
/** Rules of dashes and bars are short; longer lines are not put to patterns that would take long over them. */
const MAX_RULE = 1000
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:\s*\S/

/** Reads Markdown: headings, lists, tables and code keep their structure; markup and front matter do not reach the text. */
export function readMd(source: string): ParsedDocument {
  const all = source.split(/\r\n?|\n/)
  const { lines, title } = splitFrontMatter(all)
  return new MarkdownReader(lines).read(title)
}

function splitFrontMatter(lines: string[]): { lines: string[]; title: string | null } {
  const end = lines[0]?.trimEnd() === '---' ? lines.indexOf('---', 1) : -1
  if (end < 0) return { lines, title: null }
  const line = lines.slice(1, end).find((candidate) => candidate.startsWith('title:'))
  const title = line
    ?.slice('title:'.length)
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
  return { lines: lines.slice(end + 1), title: title || null }
}

class MarkdownReader {
  readonly #builder = new DocumentBuilder()
  readonly #lines: string[]
  #at = 0
  #paragraph: string[] = []
  #title: string | null = null

  constructor(lines: string[]) {
    this.#lines = lines
  }

  read(title: string | null): ParsedDocument {
    this.#title = title
    while (this.#at < this.#lines.length) this.#readBlock(this.#line())
    this.#flush()
    return this.#builder.finish(this.#title)
  }

  #line(offset = 0): string {
    return (this.#lines[this.#at + offset] ?? '').replace(/^ {0,3}(?:> ?)+/, '')
  }

  #readBlock(line: string): void {
    const fence = FENCE.exec(line)?.[1]
    const heading = ATX_HEADING.exec(line)
    const underline = this.#paragraph.length > 0 ? /^ {0,3}(=+|-+)\s*$/.exec(line)?.[1] : undefined
    if (fence) this.#readFence(fence)
    else if (line.trim() === '' || (!underline && isThematicBreak(line))) this.#skipLine()
    else if (line.trimStart().startsWith('<!--')) this.#skipComment()
    else if (heading) this.#readHeading(heading[1]?.length ?? 1, heading[2] ?? '')
    else if (underline) this.#readUnderlined(underline.startsWith('=') ? 1 : 2)
    else if (LIST_ITEM.test(line)) this.#readList()
    else if (line.includes('|') && isTableRule(this.#line(1).trim())) this.#readTable()
    else if (this.#paragraph.length === 0 && INDENTED.test(line)) this.#readIndentedCode()
    else this.#readParagraphLine(line)
  }

  #readParagraphLine(line: string): void {
    if (!LINK_DEFINITION.test(line)) this.#paragraph.push(line)
    this.#at += 1
  }

  #readUnderlined(level: number): void {
    const text = this.#paragraph.join(' ')
    this.#paragraph = []
    this.#readHeading(level, text)
  }

  #skipLine(): void {
    this.#flush()
    this.#at += 1
  }

  #flush(): void {
    if (this.#paragraph.length === 0) return
    const lines: string[] = []
    let wrapped: string[] = []
    for (const line of this.#paragraph) {
      wrapped.push(line.trim().replace(/\\$/, ''))
      // Two spaces or a backslash at the end keep the break.
      if (/(?: {2}|\\)$/.test(line)) {
        lines.push(wrapped.join('\n'))
        wrapped = []
      }
    }
    if (wrapped.length > 0) lines.push(wrapped.join('\n'))
    this.#builder.paragraph(
      lines.map((line) => joinSoftBreaks(stripInlineMarkdown(line))).join('\n'),
    )
    this.#paragraph = []
  }

  #readHeading(level: number, source: string): void {
    this.#flush()
    const text = stripHeading(source.replace(/(?:^|[ \t])#+\s*$/, '').trim())
    this.#builder.heading(level, text)
    if (level === 1) this.#title ??= text
    this.#at += 1
  }

  #readFence(fence: string): void {
    this.#flush()
    const code: string[] = []
    for (this.#at += 1; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line()
      const closing = line.trim()
      if (closing.startsWith(fence) && closing === fence.charAt(0).repeat(closing.length)) break
      code.push(line)
    }
    this.#at += 1
    this.#builder.code(code.join('\n'))
  }

  #readIndentedCode(): void {
    const code: string[] = []
    while (this.#at < this.#lines.length && /^(?: {4}|\t|\s*$)/.test(this.#line())) {
      code.push(this.#line().replace(/^(?: {4}|\t)/, ''))
      this.#at += 1
    }
    this.#builder.code(code.join('\n'))
  }

  #skipComment(): void {
    this.#flush()
    while (this.#at < this.#lines.length && !this.#line().includes('-->')) this.#at += 1
    this.#at += 1
  }

  /** A list goes on over blank lines as long as items or indented text follow. */
  #readList(): void {
    this.#flush()
    const items: { prefix: string; lines: string[] }[] = []
    while (this.#at < this.#lines.length) {
      const line = this.#line()
      const item = LIST_ITEM.exec(line)
      if (item) {
        const depth = Math.min(Math.floor((item[1] ?? '').replaceAll('\t', '    ').length / 2), 8)
        const marker = /\d/.test(item[2] ?? '') ? item[2] : '-'
        items.push({ prefix: `${'  '.repeat(depth)}${marker} `, lines: [item[3] ?? ''] })
      } else if (line.trim() === '') {
        const next = this.#line(1)
        if (!LIST_ITEM.test(next) && !/^\s{2,}\S/.test(next)) break
      } else if (
        FENCE.test(line.trimStart()) ||
        ATX_HEADING.test(line) ||
        (this.#line(-1).trim() === '' && !/^\s{2,}/.test(line))
      ) {
        break
      } else {
        items.at(-1)?.lines.push(line.trim())
      }
      this.#at += 1
    }
    this.#builder.list(
      items.map(
        ({ prefix, lines }) => prefix + joinSoftBreaks(stripInlineMarkdown(lines.join('\n'))),
      ),
    )
    const line = this.#line()
    if (FENCE.test(line.trimStart())) this.#readFence(FENCE.exec(line.trimStart())?.[1] ?? '```')
  }

  #readTable(): void {
    this.#flush()
    const rows = [readRow(this.#line())]
    for (this.#at += 2; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line()
      if (line.trim() === '' || !line.includes('|')) break
      rows.push(readRow(line))
    }
    this.#builder.table(formatTable(rows, rows[0]?.some(({ text }) => text !== '') ?? false))
  }
}

function isThematicBreak(line: string): boolean {
  return line.length <= MAX_RULE && THEMATIC_BREAK.test(line)
}

function isTableRule(line: string): boolean {
  return line.length <= MAX_RULE && TABLE_RULE.test(line)
}

function readRow(line: string): Cell[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell, column) => ({
      column,
      text: stripInlineMarkdown(cell.trim().replaceAll('\\|', '|')),
    }))
}
