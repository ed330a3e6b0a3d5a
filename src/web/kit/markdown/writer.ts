import * as smd from 'streaming-markdown'
import {
  append,
  citation,
  citationButton,
  codeBlock,
  link,
  scrollingTable,
  type WriterLabels,
} from './elements'
import { MarkdownFeed, References, restore } from './feed'
import { nextPiece } from './formulas'
import { safeHref, splitBareUrl } from './safe-url'

/** The visible number of a citation mark; with a name it is a button that opens the source. */
export interface MarkLabel {
  label: number
  name: string | null
}

/** Own elements may nest this deep; what a reply nests deeper is shown flat. */
const MAX_DEPTH = 16
const MAX_TOKENS = 4096
const MAX_OPEN_ADDRESS = 2100
const CITATION = /^\d{1,3}$/

const VERBATIM: ReadonlySet<number> = new Set([
  smd.CODE_INLINE,
  smd.CODE_BLOCK,
  smd.CODE_FENCE,
  smd.EQUATION_BLOCK,
  smd.EQUATION_INLINE,
])

const NO_FORMULAS: ReadonlySet<number> = new Set([...VERBATIM, smd.LINK, smd.IMAGE, smd.RAW_URL])

interface Node {
  element: HTMLElement
  token: number
  /** The parser's token got no element of its own: it shares its parent's. */
  shared: boolean
}

/**
 * Writes Markdown into DOM nodes as it arrives. The one renderer of model and user text: it creates only the elements
 * listed here, never parses HTML, drops unsafe links and all images, and keeps direction overrides out.
 */
export class MarkdownWriter {
  readonly #root: HTMLElement
  readonly #labels: WriterLabels
  readonly #feed = new MarkdownFeed()
  readonly #references = new References()
  readonly #parser: smd.Parser
  readonly #stack: Node[]
  /** What may become a formula, and the last character before it. */
  #held = ''
  #last = ''
  /** Blanks that the line begins with, until it goes on with something else. */
  #lead: string | null = ''
  #isRow = false
  /** Blanks that may be the end of the row, and what came before them. */
  #blanks = ''
  #rowEnd = ''
  #href: string | null = null
  #headingBase = 0
  #headingLast = 2
  /** Everything written so far, as it was given. */
  text = ''

  constructor(root: HTMLElement, labels: WriterLabels) {
    this.#root = root
    this.#labels = labels
    root.replaceChildren()
    this.#stack = [{ element: root, token: smd.DOCUMENT, shared: false }]
    this.#parser = smd.parser({
      data: null,
      add_token: (_, token) => this.#open(token),
      end_token: () => this.#close(),
      add_text: (_, text) => this.#write(text),
      set_attr: (_, attr, value) => this.#attribute(attr, value),
    })
    // The library's own arrays hold 24 levels and go wrong beyond.
    this.#parser.tokens = Uint32Array.from({ length: MAX_TOKENS }, (_, i) => (i === 0 ? 1 : 0))
    this.#parser.spaces = new Uint8Array(MAX_TOKENS)
  }

  write(chunk: string): void {
    this.text += chunk
    this.#parse(this.#feed.push(chunk))
  }

  /** Ends the text: closes what is open and shows what was waiting for its other half. */
  end(): void {
    this.#parse(this.#feed.end(), true)
    smd.parser_end(this.#parser)
    this.#abandonAddress(true)
  }

  /** Gives the citation marks their visible numbers. With `final`, a mark without one becomes plain text. */
  label(labels: ReadonlyMap<number, MarkLabel>, final: boolean): void {
    for (const mark of this.#root.querySelectorAll<HTMLElement>('[data-cite]')) {
      const number = Number(mark.dataset.cite)
      const known = labels.get(number)
      if (known) {
        const text = String(known.label)
        if (mark.textContent !== text) mark.textContent = text
        if (known.name !== null) mark.replaceWith(citationButton(number, text, known.name))
      } else if (final) {
        mark.replaceWith(`[${number}]`)
      }
    }
  }

  #parse(text: string, final = false): void {
    let rest = this.#held + text
    this.#held = ''
    while (rest !== '') {
      const piece = nextPiece(rest, this.#last, final)
      if (piece.kind === 'text') {
        this.#parseLines(piece.text)
        rest = piece.rest
      } else if (!this.#takesFormulas()) {
        this.#parseLines(rest.slice(0, 2))
        rest = rest.slice(2)
      } else if (piece.kind === 'formula') {
        this.#parseLines(piece.source)
        rest = piece.rest
      } else {
        this.#held = rest
        return
      }
    }
  }

  /** Whether what comes next is running text. */
  #takesFormulas(): boolean {
    return !NO_FORMULAS.has(this.#top.token) && !/^[`\\\]!]/.test(this.#parser.pending)
  }

  /** Line by line, so that an address left open can be given up at the end of its line. */
  #parseLines(text: string): void {
    this.#last = text.at(-1) ?? this.#last
    for (const line of text.split(/(?<=\n)/)) {
      for (const part of this.#asRow(line)) if (part !== '') smd.parser_write(this.#parser, part)
      this.#abandonAddress(false)
    }
  }

  /**
   * A line of a table as the parser reads it: from its first `|` to a last one, without blanks around it. One that begins
   * with something else ends the table, which the parser takes for its next row.
   */
  *#asRow(text: string): Generator<string> {
    let line = text
    if (this.#lead !== null) {
      const isTable = this.#stack.some(({ token }) => token === smd.TABLE)
      line = text.replace(/^[ \t]+/, '')
      const blanks = text.slice(0, text.length - line.length)
      this.#lead += blanks
      if (!isTable) yield blanks
      const first = line[0]
      if (first === undefined) return
      this.#isRow =
        first === '|' && (isTable || (this.#lead.length < 4 && !VERBATIM.has(this.#top.token)))
      // Before the line of dashes it is no table yet.
      if (isTable && !/[|\n]/.test(first) && this.#parser.table_state === 2) yield `\n${this.#lead}`
      this.#lead = null
    }
    const ends = line.endsWith('\n')
    if (this.#isRow) {
      const row = this.#blanks + line
      const words = row.trimEnd()
      this.#blanks = ends ? '' : row.slice(words.length)
      this.#rowEnd = words.at(-1) ?? this.#rowEnd
      yield words
      if (ends) yield this.#rowEnd === '|' ? '\n' : '|\n'
    } else yield line
    if (ends) {
      this.#lead = ''
      this.#isRow = false
    }
  }

  /** `[text](address` without an end: the parser would hold the rest of the reply back. It becomes text again. */
  #abandonAddress(atEnd: boolean): void {
    const parser = this.#parser
    const open = parser.token === smd.LINK || parser.token === smd.IMAGE
    if (!open || !parser.pending.startsWith('](')) return
    const hopeless = /\n|^\]\(\S+\s+[^\s"'(]/.test(parser.pending)
    if (!atEnd && !hopeless && parser.pending.length < MAX_OPEN_ADDRESS) return
    const rest = parser.pending.slice(1)
    parser.pending = ''
    parser.len -= 1
    parser.token = parser.tokens[parser.len] ?? smd.DOCUMENT
    this.#closeLink(false)
    smd.parser_write(parser, rest)
  }

  get #top(): Node {
    return this.#stack.at(-1) ?? { element: this.#root, token: smd.DOCUMENT, shared: true }
  }

  #open(token: number): void {
    this.#writeRest()
    const parent = this.#top.element
    if (token === smd.DOCUMENT) return
    if (this.#stack.length >= MAX_DEPTH && token !== smd.LINE_BREAK) {
      this.#stack.push({ element: parent, token, shared: true })
      return
    }
    this.#href = null
    this.#stack.push({ element: this.#create(token, parent), token, shared: false })
  }

  #create(token: number, parent: HTMLElement): HTMLElement {
    // Only outer blocks: an element that decides for itself is left out when its parent looks for its direction.
    const direction: Record<string, string> = parent === this.#root ? { dir: 'auto' } : {}
    switch (token) {
      case smd.BLOCKQUOTE:
        return append(parent, 'blockquote', direction)
      case smd.PARAGRAPH:
        return append(parent, 'p', direction)
      case smd.LINE_BREAK:
        return append(parent, 'br')
      case smd.RULE:
        return append(parent, 'hr')
      case smd.HEADING_1:
      case smd.HEADING_2:
      case smd.HEADING_3:
      case smd.HEADING_4:
      case smd.HEADING_5:
      case smd.HEADING_6:
        return append(parent, this.#headingTag(token - smd.HEADING_1 + 1), direction)
      case smd.ITALIC_AST:
      case smd.ITALIC_UND:
        return append(parent, 'em')
      case smd.STRONG_AST:
      case smd.STRONG_UND:
        return append(parent, 'strong')
      case smd.STRIKE:
        return append(parent, 's')
      case smd.CODE_INLINE:
        return append(parent, 'code', { dir: 'ltr' })
      case smd.CODE_BLOCK:
      case smd.CODE_FENCE:
        return codeBlock(parent, this.#labels)
      case smd.LIST_UNORDERED:
        return append(parent, 'ul', direction)
      case smd.LIST_ORDERED:
        return append(parent, 'ol', direction)
      case smd.LIST_ITEM:
        return append(parent, 'li')
      case smd.CHECKBOX:
        return append(parent, 'span', {
          class: 'check',
          role: 'img',
          'aria-label': this.#labels.notDone,
        })
      case smd.TABLE:
        return scrollingTable(parent, this.#labels, direction)
      case smd.TABLE_ROW: {
        const part = parent.children.length === 0 ? 'thead' : 'tbody'
        const section =
          parent.children.length > 1 ? (parent.children[1] as HTMLElement) : append(parent, part)
        return append(section, 'tr')
      }
      case smd.TABLE_CELL:
        return parent.parentElement?.tagName === 'THEAD'
          ? append(parent, 'th', { scope: 'col' })
          : append(parent, 'td')
      case smd.EQUATION_BLOCK:
      case smd.EQUATION_INLINE:
        return append(parent, 'code', { dir: 'ltr', class: 'math' })
      default:
        // Links and images are a plain span until the parser knows their address.
        return append(parent, 'span')
    }
  }

  #headingTag(level: number): 'h3' | 'h4' | 'h5' | 'h6' {
    if (this.#headingBase === 0) this.#headingBase = level
    const wanted = Math.max(3, 3 + level - this.#headingBase)
    this.#headingLast = Math.min(6, wanted, this.#headingLast + 1)
    return `h${this.#headingLast}` as 'h3'
  }

  #write(text: string): void {
    const { element, token } = this.#top
    element.append(restore(VERBATIM.has(token) ? text : this.#references.take(text)))
  }

  /** The parser gives a text in pieces: what looked like the begin of a reference was none once its element ends. */
  #writeRest(): void {
    const rest = this.#references.rest()
    if (rest !== '') this.#top.element.append(rest)
  }

  #attribute(attr: number, value: string): void {
    const { element, token } = this.#top
    if (attr === smd.HREF || attr === smd.SRC) {
      this.#href = restore(value)
    } else if (attr === smd.START && token === smd.LIST_ORDERED) {
      const start = Number(value)
      if (!Number.isSafeInteger(start)) return
      element.setAttribute('start', String(start))
      // A year is wider than the room that lists have for their numbers.
      if (start > 99) element.style.paddingInlineStart = `${String(start).length + 2}ch`
    } else if (attr === smd.CHECKED) {
      element.classList.add('is-checked')
      element.setAttribute('aria-label', this.#labels.done)
    } else if (attr === smd.LANG) {
      const name = restore(value).trim().split(/\s/)[0]?.slice(0, 24) ?? ''
      const label = element.closest('figure')?.querySelector('.code-lang')
      if (label) label.textContent = name
    }
  }

  #close(): void {
    this.#writeRest()
    const { token } = this.#top
    if (token === smd.LINK || token === smd.IMAGE) {
      this.#closeLink(!this.#parser.pending.startsWith(']'))
      return
    }
    if (token === smd.RAW_URL) this.#closeBareUrl()
    this.#stack.pop()
  }

  /** A link that turned out to be an anchor, a citation mark, an image's description or just brackets. */
  #closeLink(unfinished: boolean): void {
    this.#writeRest()
    const { element, token, shared } = this.#top
    const href = this.#href
    this.#href = null
    this.#stack.pop()
    if (shared) return
    const image = token === smd.IMAGE
    if (href === null) {
      const words = element.textContent
      if (!unfinished && !image && CITATION.test(words)) {
        element.replaceWith(citation(words))
        return
      }
      element.prepend(image ? '![' : '[')
      if (!unfinished) element.append(']')
      element.replaceWith(...element.childNodes)
      return
    }
    // An address may be wrapped in <> and followed by a title in quotes.
    const address = href.replace(/\s+["'(].*$/s, '').replace(/^<(.*)>$/s, '$1')
    if (image) {
      const words = element.textContent.trim()
      element.replaceWith(words === '' ? address : `${words} (${address})`)
      return
    }
    const safe = safeHref(address)
    if (safe === null || element.closest('a') !== null) {
      element.replaceWith(...element.childNodes)
      return
    }
    const anchor = link(safe)
    anchor.append(...element.childNodes)
    if (anchor.textContent.trim() === '') anchor.append(safe)
    element.replaceWith(anchor)
  }

  #closeBareUrl(): void {
    const { element, shared } = this.#top
    this.#href = null
    if (shared) return
    const { url, rest } = splitBareUrl(element.textContent)
    const safe = safeHref(url)
    const parts: (HTMLElement | string)[] = []
    if (safe === null) {
      parts.push(url)
    } else {
      const anchor = link(safe)
      anchor.append(url)
      parts.push(anchor)
    }
    for (const piece of rest.split(/(\[\d{1,3}\])/)) {
      const number = /^\[(\d{1,3})\]$/.exec(piece)?.[1]
      if (number !== undefined) parts.push(citation(number))
      else if (piece !== '') parts.push(piece)
    }
    element.replaceWith(...parts)
  }
}
