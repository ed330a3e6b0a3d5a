import type { ParsedDocument } from '../types'
import { DocumentBuilder } from './document-builder'
import { DocxNumbering } from './docx-numbering'
import { readDocxStyles, type StyleRole } from './docx-styles'
import { OfficePackage } from './office-package'
import { parseXml, type XmlAttributes } from './parse-xml'
import { endsInFigure, raiseFigures } from './raise-figures'
import { readCoreTitle } from './read-core-title'
import { checkLength, ReadRefusal } from './read-refusal'
import { TableRows } from './table-rows'

/** Reads a Word document: headings by style or outline level, numbered and bulleted lists, tables, notes below their paragraph. */
export function readDocx(bytes: Uint8Array): ParsedDocument {
  const office = new OfficePackage(bytes)
  const main = office.findMain('word/document.xml')
  const document = office.read(main)
  if (!document) throw new ReadRefusal('The document is damaged: its text is missing.')
  const related = (type: string) => {
    const found = office.relationships(main).find((relationship) => relationship.type === type)
    return found ? office.read(found.target) : null
  }
  const notes = new Map([
    ...readNotes(related('footnotes'), 'footnote'),
    ...readNotes(related('endnotes'), 'endnote'),
  ])
  const reader = new DocxReader(
    readDocxStyles(related('styles')),
    new DocxNumbering(related('numbering')),
    notes,
  )
  parseXml(document, reader)
  return reader.finish(readCoreTitle(office))
}

interface Paragraph {
  pieces: string[]
  styleId: string | null
  outlineLevel: number | null
  numberId: string | null
  numberLevel: number
  notes: string[]
}

/** Text in these is not part of the page: deleted or moved away, a second rendering of the same drawing, how a word is read. */
const SKIPPED = new Set(['Fallback', 'del', 'moveFrom', 'rPrChange', 'pPrChange', 'rt'])

class DocxReader {
  readonly #role: (styleId: string | null) => StyleRole
  readonly #numbering: DocxNumbering
  readonly #notes: ReadonlyMap<string, string>
  readonly #builder = new DocumentBuilder()
  /** Paragraphs being read: a text box holds paragraphs inside another one. */
  readonly #open: Paragraph[] = []
  readonly #tables: TableRows[] = []
  #items: string[] = []
  #itemsLength = 0
  #code: string[] = []
  #skipping = 0
  #inText = false
  #inRunProperties = false
  #hidden = false
  /** Whether the run stands above the line. */
  #isRaised = false
  #noteCount = 0
  #title: string | null = null

  constructor(
    role: (styleId: string | null) => StyleRole,
    numbering: DocxNumbering,
    notes: ReadonlyMap<string, string>,
  ) {
    this.#role = role
    this.#numbering = numbering
    this.#notes = notes
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#skipping > 0 || SKIPPED.has(name)) {
      if (SKIPPED.has(name)) this.#skipping += 1
      return
    }
    const paragraph = this.#open.at(-1)
    if (name === 'p') this.#open.push(makeParagraph())
    else if (name === 'tbl') this.#openTable()
    else if (name === 'tr') this.#tables.at(-1)?.openRow()
    else if (name === 'tc') this.#tables.at(-1)?.openCell()
    else if (name === 'gridSpan') this.#tables.at(-1)?.span(attributes['w:val'])
    else if (name === 'vMerge') this.#mergeUp(attributes['w:val'])
    else if (name === 'r') this.#startRun()
    else if (name === 'rPr') this.#inRunProperties = true
    else if (name === 't') this.#inText = true
    else if (paragraph) this.#openInParagraph(paragraph, name, attributes)
  }

  #openInParagraph(paragraph: Paragraph, name: string, attributes: XmlAttributes): void {
    const value = attributes['w:val'] ?? ''
    if (name === 'vanish' && this.#inRunProperties) this.#hidden = !/^(?:0|false|off)$/.test(value)
    else if (name === 'vertAlign') this.#isRaised = value === 'superscript'
    else if (name === 'tab' && !('w:val' in attributes)) paragraph.pieces.push(' ')
    else if (name === 'br' || name === 'cr') paragraph.pieces.push('\n')
    else if (name === 'noBreakHyphen') paragraph.pieces.push('-')
    else if (name === 'pStyle') paragraph.styleId = value
    else if (name === 'outlineLvl') paragraph.outlineLevel = Number(value)
    else if (name === 'numId') paragraph.numberId = value
    else if (name === 'ilvl') paragraph.numberLevel = Number(value) || 0
    else if (name === 'footnoteReference' || name === 'endnoteReference') {
      this.#addNote(paragraph, `${name.slice(0, -'Reference'.length)} ${attributes['w:id']}`)
    }
  }

  close(name: string): void {
    if (SKIPPED.has(name)) this.#skipping = Math.max(0, this.#skipping - 1)
    if (this.#skipping > 0) return
    if (name === 'p') this.#closeParagraph()
    else if (name === 'tbl') this.#closeTable()
    else if (name === 'rPr') this.#inRunProperties = false
    else if (name === 'r') this.#startRun()
    else if (name === 't') this.#inText = false
  }

  text(text: string): void {
    if (this.#skipping > 0 || !this.#inText || this.#hidden) return
    const pieces = this.#open.at(-1)?.pieces
    const isOfNumber = this.#isRaised && endsInFigure(pieces?.at(-1) ?? '')
    pieces?.push(isOfNumber ? raiseFigures(text) : text)
  }

  #startRun(): void {
    this.#hidden = false
    this.#isRaised = false
  }

  finish(coreTitle: string | null): ParsedDocument {
    this.#flush()
    return this.#builder.finish(this.#title ?? coreTitle)
  }

  #addNote(paragraph: Paragraph, key: string): void {
    const note = this.#notes.get(key)
    if (!note) return
    this.#noteCount += 1
    paragraph.pieces.push(`[${this.#noteCount}]`)
    paragraph.notes.push(`[${this.#noteCount}] ${note}`)
  }

  #openTable(): void {
    if (this.#tables.length === 0) this.#flush()
    this.#tables.push(new TableRows())
  }

  #mergeUp(value = 'continue'): void {
    if (value === 'continue') this.#tables.at(-1)?.mergeUp()
  }

  #closeTable(): void {
    const table = this.#tables.pop()
    if (!table) return
    const rows = table.finish()
    const outer = this.#tables.at(-1)
    if (outer) outer.addText(rows.join('; '))
    else if (table.columns > 1) this.#builder.table(rows)
    else for (const row of rows) this.#builder.paragraph(row)
  }

  #closeParagraph(): void {
    const paragraph = this.#open.pop()
    if (!paragraph) return
    const whole = paragraph.pieces.join('')
    const text = whole.trim()
    const role = this.#role(paragraph.styleId)
    if (role.isCode && this.#tables.length === 0) {
      if (this.#code.length === 0) this.#flush()
      this.#code.push(whole)
      return
    }
    if (text === '' || role.isContents) return
    const label = this.#findLabel(paragraph, role)
    const table = this.#tables.at(-1)
    if (table) table.addText(label && label !== '-' ? `${label} ${text}` : text)
    else this.#addBlock(paragraph, role, label, text)
    for (const note of paragraph.notes) {
      if (table) table.addText(note)
      else this.#addText(note)
    }
  }

  #addBlock(paragraph: Paragraph, role: StyleRole, label: string | null, text: string): void {
    const outline = paragraph.outlineLevel ?? 9
    const level = outline < 9 ? outline + 1 : role.isTitle ? 1 : role.headingLevel
    if (level !== null) {
      this.#flush()
      if (role.isTitle || level === 1) this.#title ??= text
      this.#builder.heading(level, label && label !== '-' ? `${label} ${text}` : text)
    } else if (label) {
      const depth = Math.min(paragraph.numberLevel, 8)
      if (this.#code.length > 0) this.#flush()
      const item = `${'  '.repeat(depth)}${label} ${text.replaceAll('\n', ' ')}`
      this.#itemsLength += item.length
      checkLength(this.#itemsLength)
      this.#items.push(item)
    } else {
      this.#addText(text)
    }
  }

  #addText(text: string): void {
    this.#flush()
    this.#builder.paragraph(text)
  }

  #findLabel(paragraph: Paragraph, role: StyleRole): string | null {
    const numberId = paragraph.numberId ?? role.numberId
    if (numberId === null || numberId === '0') return null
    const level = paragraph.numberId === null ? role.numberLevel : paragraph.numberLevel
    return this.#numbering.next(numberId, level)
  }

  #flush(): void {
    if (this.#items.length > 0) this.#builder.list(this.#items)
    this.#items = []
    this.#itemsLength = 0
    if (this.#code.length > 0) this.#builder.code(this.#code.join('\n'))
    this.#code = []
  }
}

function makeParagraph(): Paragraph {
  return {
    pieces: [],
    styleId: null,
    outlineLevel: null,
    numberId: null,
    numberLevel: 0,
    notes: [],
  }
}

/** Texts of a notes part by `kind id`. */
function readNotes(bytes: Uint8Array | null, kind: 'footnote' | 'endnote'): Map<string, string> {
  const notes = new Map<string, string>()
  if (!bytes) return notes
  let id: string | null = null
  let pieces: string[] = []
  let inText = false
  parseXml(bytes, {
    open(name, attributes) {
      if (name === kind) {
        // Separators carry a type; real notes do not.
        id = attributes['w:type'] ? null : (attributes['w:id'] ?? null)
        pieces = []
      } else if (name === 't') inText = true
      else if (name === 'p' || name === 'tab' || name === 'br') pieces.push(' ')
    },
    close(name) {
      if (name === 't') inText = false
      const text = pieces.join('').trim()
      if (name === kind && id !== null && text) notes.set(`${kind} ${id}`, text)
    },
    text(text) {
      if (inText) pieces.push(text)
    },
  })
  return notes
}
