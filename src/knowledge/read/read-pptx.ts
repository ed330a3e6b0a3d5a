import { ARCHIVE_LIMITS } from '../../config/limits'
import type { ParsedDocument } from '../types'
import { DocumentBuilder } from './document-builder'
import { OfficePackage } from './office-package'
import { parseXml, type XmlAttributes } from './parse-xml'
import { endsInFigure, raiseFigures } from './raise-figures'
import { readCoreTitle } from './read-core-title'
import { ReadRefusal } from './read-refusal'
import { TableRows } from './table-rows'

const MAX_TITLE_LENGTH = 120

/** Reads a presentation: a page a slide, with its title as heading, its text, its tables and the speaker's notes. */
export function readPptx(bytes: Uint8Array): ParsedDocument {
  const office = new OfficePackage(bytes)
  const builder = new DocumentBuilder()
  const slides = listSlides(office)
  if (slides.length > ARCHIVE_LIMITS.pdfPages) {
    throw new ReadRefusal(`The presentation has more than ${ARCHIVE_LIMITS.pdfPages} slides.`)
  }
  let title: string | null = null
  for (const [index, path] of slides.entries()) {
    builder.startPage()
    const part = office.read(path)
    if (!part) continue
    const slide = new SlideReader()
    parseXml(part, slide)
    if (slide.isHidden) continue
    const heading = addSlide(builder, slide, index + 1)
    title ??= heading
    const notes = office.relationships(path).find(({ type }) => type === 'notesSlide')
    const notesPart = notes ? office.read(notes.target) : null
    if (notesPart) addNotes(builder, notesPart)
  }
  return builder.finish(readCoreTitle(office) ?? title)
}

/** The slides' parts in the order in which they are shown. */
function listSlides(office: OfficePackage): string[] {
  const main = office.findMain('ppt/presentation.xml')
  const presentation = office.read(main)
  if (!presentation)
    throw new ReadRefusal('The presentation is damaged: its slide list is missing.')
  const targets = new Map(office.relationships(main).map(({ id, target }) => [id, target]))
  const slides: string[] = []
  parseXml(presentation, {
    open(name, attributes) {
      const target = name === 'sldId' ? targets.get(attributes['r:id'] ?? '') : undefined
      if (target) slides.push(target)
    },
  })
  return slides
}

function addSlide(builder: DocumentBuilder, slide: SlideReader, number: number): string | null {
  if (slide.title.length === 0 && slide.shapes.length === 0) return null
  const [first, ...rest] = slide.shapes
  // Without a title placeholder a short first line serves as title.
  const line = first && 'lines' in first && first.lines.length === 1 ? first.lines[0]?.text : null
  const stands = slide.title.length === 0 && line && line.length <= MAX_TITLE_LENGTH
  const title = stands ? line : slide.title.join(' ').trim()
  builder.heading(1, title || `Slide ${number}`)
  for (const shape of stands ? rest : slide.shapes) {
    if ('rows' in shape) builder.table(shape.rows)
    else if (shape.lines.length > 1) builder.list(shape.lines.map(formatItem))
    else for (const { text } of shape.lines) builder.paragraph(text)
  }
  return title || null
}

function formatItem({ level, text }: Line): string {
  return `${'  '.repeat(Math.min(level, 8))}- ${text.replaceAll('\n', ' ')}`
}

function addNotes(builder: DocumentBuilder, part: Uint8Array): void {
  const notes = new SlideReader()
  parseXml(part, notes)
  const lines = notes.shapes.flatMap((shape) => ('lines' in shape ? shape.lines : []))
  builder.paragraph(lines.map(({ text }) => text).join('\n'))
}

interface Line {
  level: number
  text: string
}

/** Placeholders that repeat on every slide. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

/** Collects the shapes of a slide or of its notes page. */
class SlideReader {
  readonly title: string[] = []
  readonly shapes: ({ lines: Line[] } | { rows: string[] })[] = []
  isHidden = false
  #fallbacks = 0
  #placeholder: string | null = null
  #lines: Line[] = []
  #pieces: string[] = []
  #level = 0
  #inText = false
  /** Whether the run stands above the line. */
  #isRaised = false
  #table: TableRows | null = null
  /** Whether the cell before covers the open one. */
  #isCovered = false

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'Fallback') this.#fallbacks += 1
    if (this.#fallbacks > 0) return
    if (name === 'sld') this.isHidden = attributes.show === '0' || attributes.show === 'false'
    else if (name === 'sp') this.#startShape()
    else if (name === 'ph') this.#placeholder = attributes.type ?? 'body'
    else if (name === 'tbl') this.#table = new TableRows()
    else if (name === 'tr') this.#table?.openRow()
    else if (name === 'tc') this.#openCell(attributes)
    else if (name === 'p') this.#startLine()
    else if (name === 'pPr') this.#level = Number(attributes.lvl) || 0
    else if (name === 'br') this.#pieces.push('\n')
    else if (name === 'r') this.#isRaised = false
    else if (name === 'rPr') this.#isRaised = Number(attributes.baseline) > 0
    else if (name === 't') this.#inText = true
  }

  close(name: string): void {
    if (name === 'Fallback') this.#fallbacks = Math.max(0, this.#fallbacks - 1)
    if (this.#fallbacks > 0) return
    if (name === 't') this.#inText = false
    else if (name === 'p') this.#endLine()
    else if (name === 'sp') this.#endShape()
    else if (name === 'tbl') this.#endTable()
  }

  text(text: string): void {
    if (!this.#inText || this.#fallbacks > 0) return
    const isOfNumber = this.#isRaised && endsInFigure(this.#pieces.at(-1) ?? '')
    this.#pieces.push(isOfNumber ? raiseFigures(text) : text)
  }

  /** A merged cell stands there once for each column and row that it covers. */
  #openCell({ gridSpan, hMerge, vMerge }: XmlAttributes): void {
    const isTrue = (value = '') => value === '1' || value === 'true'
    this.#isCovered = isTrue(hMerge)
    if (this.#isCovered) return
    this.#table?.openCell()
    this.#table?.span(gridSpan)
    if (isTrue(vMerge)) this.#table?.mergeUp()
  }

  #startShape(): void {
    this.#placeholder = null
    this.#lines = []
  }

  #startLine(): void {
    this.#pieces = []
    this.#level = 0
  }

  #endLine(): void {
    const text = this.#pieces.join('').trim()
    this.#pieces = []
    if (this.#table && !this.#isCovered) this.#table.addText(text)
    else if (text && !this.#table) this.#lines.push({ level: this.#level, text })
  }

  #endShape(): void {
    const lines = this.#lines
    this.#lines = []
    if (lines.length === 0 || (this.#placeholder && FURNITURE.has(this.#placeholder))) return
    if (this.#placeholder === 'title' || this.#placeholder === 'ctrTitle') {
      this.title.push(...lines.map(({ text }) => text))
    } else {
      this.shapes.push({ lines })
    }
  }

  #endTable(): void {
    const rows = this.#table?.finish() ?? []
    this.#table = null
    if (rows.length > 0) this.shapes.push({ rows })
  }
}
