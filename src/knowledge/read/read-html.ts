import { DOCUMENT_LIMITS } from '../../config/limits'
import type { ParsedDocument } from '../types'
import { joinSoftBreaks } from './clean-text'
import { DocumentBuilder } from './document-builder'
import { HtmlTable } from './html-table'
import { endsInFigure, raiseFigures } from './raise-figures'
import { ReadRefusal } from './read-refusal'
import { TextPieces } from './text-pieces'
import { tokenizeHtml } from './tokenize-html'

/** Never text of the page; what says how a word is read would stand within it. */
const MACHINERY = new Set(
  'script style template noscript iframe object canvas svg math select datalist textarea button audio video map dialog rt rp'.split(
    ' ',
  ),
)
/** The site around the page. */
const CHROME = new Set(['nav', 'footer', 'menu'])
const CHROME_ROLES = new Set(['navigation', 'contentinfo', 'search', 'menu', 'menubar', 'dialog'])
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
const BLOCKS = new Set(
  'address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hr html legend main nav p section summary'.split(
    ' ',
  ),
)
/** Elements whose end tag may be left out, so that a hidden one ends where something else begins. */
const OPEN_ENDED = new Set(['p', 'li', 'td', 'th', 'tr', 'dd', 'dt', 'option', 'rt', 'rp'])
const CONTAINERS = new Set('ul ol dl table tbody tr div section article main body ruby'.split(' '))
const MAX_LIST_DEPTH = 8
const MAX_OPEN_LISTS = 200
/** A longer term is text of its own. */
const MAX_TERM = 100
const QUESTION = /[?？؟]$/u

/**
 * Reads a web page: text in blocks, with headings, lists, tables and code, without scripts, navigation and hidden parts; of
 * comments only other ways to ask below a heading (`<!-- asked: … -->`).
 */
export function readHtml(source: string): ParsedDocument {
  const page = new PageReader(true).read(source)
  // A page that is one unclosed menu, or nothing but chrome, is still read.
  return page.text === '' ? new PageReader(false).read(source) : page
}

class PageReader {
  readonly #dropChrome: boolean
  readonly #builder = new DocumentBuilder()
  /** Finished lines of the block being read, and the pieces of its last line. */
  #lines: string[] = []
  readonly #pieces = new TextPieces()
  /** The piece added last, and whether the next one stands above the line behind a figure. */
  #last = ''
  #isRaised = false
  #parts = 0
  #heading = 0
  #lists: { ordered: boolean; count: number }[] = []
  #items: string[] = []
  #marker: string | null = null
  /** What of a list of terms is to be explained next, and whether it is being read. */
  #term = ''
  #inTerm = false
  #code = 0
  #table: HtmlTable | null = null
  #skip: { name: string; depth: number } | null = null
  /** Depth inside `main` or `article`, where a footer belongs to the text. */
  #content = 0
  #title: string[] | null = null
  #pageTitle: string | null = null
  #firstHeading: string | null = null

  constructor(dropChrome: boolean) {
    this.#dropChrome = dropChrome
  }

  read(source: string): ParsedDocument {
    tokenizeHtml(source, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (text) => this.#text(text),
      comment: (text) => this.#skip ?? this.#builder.comment(text),
    })
    this.#flush()
    this.#endTable()
    this.#endList()
    this.#endTerm()
    return this.#builder.finish(this.#pageTitle ?? this.#firstHeading)
  }

  #text(text: string): void {
    if (this.#skip) return
    if (this.#title) {
      this.#title.push(text)
      return
    }
    this.#pieces.add(this.#isRaised ? raiseFigures(text) : text)
    this.#last = text
  }

  #open(name: string, attributes: Map<string, string>): void {
    if (this.#skip && !this.#endsSkip(name)) {
      if (name === this.#skip.name) this.#skip.depth += 1
      return
    }
    if (name === 'title') {
      this.#title = []
      return
    }
    if (this.#isSkipped(name, attributes)) {
      if (!VOID.has(name)) this.#skip = { name, depth: 1 }
      return
    }
    if (name === 'main' || name === 'article') this.#content += 1
    if (name === 'sup') this.#isRaised = endsInFigure(this.#last)
    else if (name === 'br') this.#breakLine()
    else if (/^h[1-6]$/.test(name)) this.#openHeading(Number(name.charAt(1)))
    else if (name === 'pre') this.#openCode()
    else if (name === 'ul' || name === 'ol') this.#openList(name === 'ol')
    else if (name === 'li') this.#openItem()
    else if (HtmlTable.knows(name)) this.#openTablePart(name, attributes)
    else if (BLOCKS.has(name)) {
      this.#boundary()
      this.#inTerm = name === 'dt'
    }
  }

  #close(name: string): void {
    if (this.#skip) {
      const ends = name === this.#skip.name
      if (ends) this.#skip.depth -= 1
      const outer = OPEN_ENDED.has(this.#skip.name) && CONTAINERS.has(name)
      if (this.#skip.depth === 0 || outer) this.#skip = null
      if (ends) return
      if (this.#skip) return
    }
    if ((name === 'main' || name === 'article') && this.#content > 0) this.#content -= 1
    if (name === 'title') this.#closeTitle()
    else if (name === 'sup') this.#isRaised = false
    else if (/^h[1-6]$/.test(name)) this.#flush()
    else if (name === 'pre') this.#closeCode()
    else if (name === 'ul' || name === 'ol') this.#closeList()
    else if (name === 'li') this.#flush()
    else if (HtmlTable.knows(name)) this.#closeTablePart(name)
    else if (BLOCKS.has(name)) this.#boundary()
  }

  #endsSkip(name: string): boolean {
    const skipped = this.#skip?.name
    const ends =
      skipped !== undefined &&
      OPEN_ENDED.has(skipped) &&
      (name === skipped || (skipped === 'p' && BLOCKS.has(name)))
    if (ends) this.#skip = null
    return ends
  }

  #isSkipped(name: string, attributes: Map<string, string>): boolean {
    if (MACHINERY.has(name)) return true
    if (attributes.size > 0) {
      const style = attributes.get('style') ?? ''
      if (attributes.has('hidden') && attributes.get('hidden') !== 'until-found') return true
      if (attributes.get('aria-hidden') === 'true') return true
      if (/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style)) return true
      if (this.#dropChrome && CHROME_ROLES.has(attributes.get('role') ?? '')) return true
    }
    return this.#dropChrome && CHROME.has(name) && !(name === 'footer' && this.#content > 0)
  }

  #closeTitle(): void {
    const title = joinSoftBreaks((this.#title ?? []).join(''))
    this.#title = null
    if (title) this.#pageTitle ??= title
  }

  /** A block begins or ends: what was collected is written down, except inside a table cell or a list item. */
  #boundary(): void {
    if (this.#code > 0 || this.#table?.inCell || this.#lists.length > 0) this.#breakLine()
    else this.#flush()
  }

  #breakLine(): void {
    const line = this.#pieces.take()
    this.#last = ''
    this.#isRaised = false
    this.#lines.push(this.#code > 0 ? line : joinSoftBreaks(line))
    this.#parts += 1
    if (this.#parts > DOCUMENT_LIMITS.parts) {
      throw new ReadRefusal('The page has too many lines and cells. Split it into smaller files.')
    }
  }

  #takeText(): string {
    this.#breakLine()
    const lines = this.#lines
    this.#lines = []
    return this.#code > 0 ? lines.join('\n') : lines.filter((line) => line !== '').join('\n')
  }

  /** Writes down the text collected so far as what it stands in: cell, item, heading or paragraph. */
  #flush(): void {
    const text = this.#takeText()
    if (this.#table?.inCell) {
      this.#table.addText(text)
    } else if (this.#lists.length > 0) {
      if (text) this.#addItem(text)
    } else if (this.#heading > 0) {
      this.#firstHeading ??= text || null
      this.#builder.heading(this.#heading, text)
    } else {
      this.#paragraph(text)
    }
    this.#heading = 0
  }

  /** A term and the paragraph that explains it are one item; below a question stands its answer. */
  #paragraph(text: string): void {
    if (text === '') return
    const line = text.replaceAll('\n', ' ')
    if (this.#inTerm && text.length <= MAX_TERM && !QUESTION.test(text)) {
      this.#term += (this.#term && ', ') + line
    } else if (this.#term) {
      this.#builder.list([`- ${this.#term}: ${line}`])
      this.#term = ''
    } else {
      this.#builder.paragraph(text)
    }
  }

  /** What is explained otherwise than by a paragraph. */
  #endTerm(): void {
    if (this.#term) this.#builder.paragraph(`${this.#term}:`)
    this.#term = ''
  }

  #openHeading(level: number): void {
    this.#flush()
    // A heading inside a table or list shows that these serve the layout: they are written down as far as they got.
    this.#endTable()
    this.#endList()
    this.#endTerm()
    this.#heading = level
  }

  /** Code of an item stands by itself: items are lines, and it would be one. */
  #openCode(): void {
    if (this.#table && (!this.#table.inCell || this.#lists.length > 0)) {
      this.#breakLine()
      return
    }
    this.#flush()
    this.#endTerm()
    this.#writeItems()
    this.#code = 1
  }

  #closeCode(): void {
    if (this.#code === 0) {
      this.#breakLine()
      return
    }
    const text = this.#takeText()
    this.#code = 0
    if (this.#table) this.#table.addCode(text)
    else this.#builder.code(text)
  }

  #openList(ordered: boolean): void {
    this.#flush()
    this.#endTerm()
    if (this.#lists.length < MAX_OPEN_LISTS) this.#lists.push({ ordered, count: 0 })
  }

  #closeList(): void {
    if (this.#lists.length === 0) return
    this.#flush()
    this.#lists.pop()
    if (this.#lists.length === 0) this.#endList()
  }

  #openItem(): void {
    this.#flush()
    const list = this.#lists.at(-1)
    if (!list) return
    list.count += 1
    const indent = '  '.repeat(Math.min(this.#lists.length - 1, MAX_LIST_DEPTH))
    this.#marker = `${indent}${list.ordered ? `${list.count}.` : '-'} `
  }

  /** One line an item; paragraphs after its first one are indented below it, unless code stands between. */
  #addItem(text: string): void {
    if (this.#marker === null && this.#items.length === 0 && !this.#table) {
      this.#builder.paragraph(text)
      return
    }
    const indent = '  '.repeat(Math.min(this.#lists.length, MAX_LIST_DEPTH))
    const [first = '', ...rest] = text.split('\n')
    this.#items.push((this.#marker ?? indent) + first, ...rest.map((line) => indent + line))
    this.#marker = null
  }

  #endList(): void {
    this.#lists = []
    this.#marker = null
    this.#writeItems()
  }

  #writeItems(): void {
    if (this.#items.length > 0 && !this.#table) this.#builder.list(this.#items)
    else if (this.#table) this.#table.addText(this.#items.join('\n'))
    this.#items = []
  }

  #openTablePart(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#table && this.#code > 0) this.#closeCode()
    if (name === 'table') {
      this.#flush()
      // A table inside a table: the outer one serves the layout.
      this.#endTable()
      this.#endList()
      this.#table = new HtmlTable()
      return
    }
    if (!this.#table) {
      this.#boundary()
      return
    }
    this.#flush()
    if (this.#lists.length > 0) this.#endList()
    this.#table.open(name, attributes)
  }

  #closeTablePart(name: string): void {
    if (this.#table && this.#code > 0) this.#closeCode()
    if (!this.#table) {
      this.#boundary()
      return
    }
    this.#flush()
    if (this.#lists.length > 0) this.#endList()
    if (name === 'table') this.#endTable()
    else this.#table.close(name)
  }

  #endTable(): void {
    const table = this.#table
    this.#table = null
    if (!table) return
    this.#endTerm()
    if (table.caption) this.#builder.paragraph(table.caption)
    const { listing } = table
    if (listing) {
      this.#builder.code(listing)
      return
    }
    const rows = table.finish()
    if (table.columns > 1) this.#builder.table(rows)
    else for (const row of rows) this.#builder.paragraph(row)
  }
}
