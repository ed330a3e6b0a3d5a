import { DOCUMENT_LIMITS } from '../../config/limits'
import { cutText } from '../../text/cut'
import type { Block, ParsedDocument } from '../types'
import { cleanLines, cleanText } from './clean-text'
import { checkLength, ReadRefusal } from './read-refusal'

const ASKED = /^\s*asked:([\s\S]*)/i

/** Collects a document's blocks in reading order and keeps offsets and budgets. Throws `ReadRefusal` past a budget. */
export class DocumentBuilder {
  readonly #parts: string[] = []
  readonly #blocks: Block[] = []
  #length = 0
  #pageStarts: number[] | null = null
  #openPages = 0
  /** The heading written last. */
  #heading: Extract<Block, { kind: 'heading' }> | null = null

  get length(): number {
    return this.#length
  }

  /** Adds a heading, level 1 to 6. */
  heading(level: number, text: string): void {
    const title = cleanLines(text).replaceAll('\n', ' ')
    const place = this.#append(title)
    if (place) this.#push({ kind: 'heading', level: Math.min(Math.max(level, 1), 6), ...place })
  }

  /** A comment's text: one that begins with `asked:` adds its lines to the heading above as other ways to ask. */
  comment(text: string): void {
    const lines = ASKED.exec(text)?.[1]?.split('\n') ?? []
    const heading = this.#heading
    if (heading === null) return
    const { phrasings, phrasingLength } = DOCUMENT_LIMITS
    const all = [...(heading.phrasings ?? []), ...lines.map(cleanLines).filter(Boolean)]
    if (all.length > phrasings || all.some(({ length }) => length > phrasingLength)) {
      throw new ReadRefusal(
        `A heading takes ${phrasings} other ways to ask of at most ${phrasingLength} characters. Shorten the comment below it.`,
      )
    }
    heading.phrasings = all
  }

  /** Adds running text; line breaks inside are kept. */
  paragraph(text: string): void {
    const place = this.#append(cleanLines(text))
    if (place) this.#push({ kind: 'paragraph', ...place })
  }

  /** Adds to the paragraph written last, where a page break cut a sentence. */
  continueParagraph(text: string, { drop, between } = { drop: 0, between: ' ' }): void {
    const block = this.#blocks.at(-1)
    const isOpen = block?.kind === 'paragraph'
    if (isOpen && drop > 0) this.#dropEnd(block, drop)
    const place = this.#append(cleanLines(text), isOpen ? between : '\n\n')
    if (!place) return
    if (block?.kind === 'paragraph') block.end = place.end
    else this.#push({ kind: 'paragraph', ...place })
  }

  /** Adds a list, one item a line, bullets or numbers included; indentation shows nesting. */
  list(items: readonly string[]): void {
    const place = this.#append(trimLines(cleanText(items.join('\n'))))
    if (place) this.#push({ kind: 'list', ...place })
  }

  /** Adds a table, one row a line. */
  table(rows: readonly string[]): void {
    const place = this.#append(cleanLines(rows.join('\n')))
    if (place) this.#push({ kind: 'table', ...place })
  }

  /** Adds code or other text whose spaces matter. */
  code(text: string): void {
    const code = trimLines(cleanText(text))
    const place = this.#append(code === '' ? '' : `\`\`\`\n${code}\n\`\`\``)
    if (place) this.#push({ kind: 'code', ...place })
  }

  /** The next block, whenever it comes, starts a new page. */
  startPage(): void {
    this.#pageStarts ??= []
    this.#openPages += 1
  }

  finish(title: string | null): ParsedDocument {
    this.#markPages(this.#length)
    const clean = title === null ? '' : cutText(cleanLines(title).replaceAll('\n', ' '), 300)
    return {
      title: clean || null,
      text: this.#parts.join(''),
      blocks: this.#blocks,
      pageStarts: this.#pageStarts,
    }
  }

  #append(text: string, between = '\n\n'): { start: number; end: number } | null {
    if (text === '') return null
    const separator = this.#length === 0 ? '' : between
    const start = this.#length + separator.length
    const end = start + text.length
    checkLength(end)
    if (this.#blocks.length >= DOCUMENT_LIMITS.blocks) {
      throw new ReadRefusal(
        `The document has more than ${DOCUMENT_LIMITS.blocks.toLocaleString('en')} paragraphs. Split it into smaller files.`,
      )
    }
    this.#markPages(start)
    if (separator) this.#parts.push(separator)
    this.#parts.push(text)
    this.#length = end
    return { start, end }
  }

  /** Takes a hyphen back. */
  #dropEnd(block: Block, count: number): void {
    const last = this.#parts.pop() ?? ''
    this.#parts.push(last.slice(0, -count))
    this.#length -= count
    block.end -= count
  }

  /** Pages opened since the last block start where the next one does; an empty page has the offset of the page after it. */
  #markPages(offset: number): void {
    for (; this.#openPages > 0; this.#openPages--) this.#pageStarts?.push(offset)
  }

  #push(block: Block): void {
    this.#blocks.push(block)
    if (block.kind === 'heading') this.#heading = block
  }
}

/** Drops blank lines around and trailing spaces; keeps indentation. */
function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '')
}
