import type { DocumentBuilder } from './document-builder'
import { formatTable } from './format-rows'
import type { FindDepth } from './pdf-bookmarks'
import { countSizes, type PdfLine } from './pdf-lines'
import { continueTable, findTables, type PdfTable } from './pdf-tables'
import { findGlue, isListItem, isTornApart, unwrapLines } from './unwrap-lines'

const HEADING_RATIO = 1.15
/** A question in full may stand above its answer. */
const MAX_HEADING_LENGTH = 250
const MAX_HEADING_LINES = 4
const HEADING_LEVELS = 4
const SENTENCE_OPEN = /[\p{L}\p{N},/-]$/u
const CONTINUES = /^[\p{Ll}\p{Lo}]/u
/** A heading's number: it heads a part of the document. */
const SECTION = /^\d{1,3}(?:\.\d+)*\.?\s/
const NUMBERED = /^\d{1,2}(?:\.\d+)+\.?\s+\p{L}/u
/** Before an item of a list, as French typography has it, or a reply in a talk. */
const DASH = /^[—―]\s+/u
/** How wide a letter is beside its size where all are as wide. */
const MONO_WIDTH = 0.6
/** A document of which more is in such a type is no code: it was typed so. */
const MOST_CODE = 0.5
/** A gap this much wider than usual between two lines starts a paragraph. */
const PARAGRAPH_GAP = 1.35

/** Writes the lines of all pages as headings, paragraphs and lists. Returns the first heading of the highest level that has no number. */
export function addPdfPages(
  builder: DocumentBuilder,
  pages: readonly PdfLine[][],
  depthOf: FindDepth,
): string | null {
  const layout = measureLayout(pages)
  const writer = new PdfWriter(builder)
  let title: string | null = null
  /** How much deeper than its bookmark the last heading stands that is larger than the text. */
  let below = 0
  for (const lines of pages) {
    writer.startPage()
    for (const part of findTables(lines)) {
      if ('rows' in part) {
        writer.table(part)
        continue
      }
      for (const { group, depth, isListed } of findNamed(groupLines(part, layout), depthOf)) {
        if ((depth === null || isListed) && layout.hasCode && group.every(({ mono }) => mono)) {
          writer.code(group)
          continue
        }
        const texts = unwrapLines(bulletsForDashes(group.map(({ text }) => text)))
        const level = layout.levels.get(group[0]?.size ?? 0)
        if (level !== undefined && isHeading(group, layout)) {
          if (level === 1 && !SECTION.test(texts[0] ?? '')) title ??= texts.join(' ')
          if (depth !== null) below = level - depth
          writer.heading(level, texts.join(' '))
        } else if (depth !== null && !isListed) {
          writer.heading(depth + below, texts.join(' '))
        } else {
          writer.text(texts)
        }
      }
    }
  }
  writer.flush()
  return title
}

/** Items behind dashes are items like others. A dash within running text may stand at a line's start, so one line alone says nothing. */
function bulletsForDashes(lines: string[]): string[] {
  const isList = DASH.test(lines[0] ?? '') || lines.filter((line) => DASH.test(line)).length > 1
  return isList ? lines.map((line) => line.replace(DASH, '• ')) : lines
}

/** Puts together what blank space or a page break took apart: items of one list, halves of one sentence. */
class PdfWriter {
  readonly #builder: DocumentBuilder
  #items: string[] = []
  #code: string[] = []
  #last: 'open sentence' | 'page break' | null = null
  /** The line written last. */
  #line = ''
  /** The table that a page ends with so far, and the one that the page before ended with, while nothing stands behind them. */
  #table: PdfTable | null = null
  #tableBefore: PdfTable | null = null

  constructor(builder: DocumentBuilder) {
    this.#builder = builder
  }

  startPage(): void {
    this.flush()
    this.#builder.startPage()
    this.#tableBefore = this.#table
    this.#table = null
    this.#last = this.#last === 'open sentence' ? 'page break' : null
  }

  heading(level: number, text: string): void {
    this.#leaveTable()
    this.flush()
    this.#builder.heading(level, text)
    this.#last = null
  }

  /** Lines of code with their indents; what blank lines part is one piece. */
  code(lines: readonly PdfLine[]): void {
    this.#leaveTable()
    if (this.#items.length > 0) this.flush()
    if (this.#code.length > 0) this.#code.push('')
    const left = Math.min(...lines.map(({ x }) => x))
    for (const { text, x, size } of lines)
      this.#code.push(' '.repeat(Math.round((x - left) / (size * MONO_WIDTH || 1))) + text)
    this.#last = null
  }

  table(table: PdfTable): void {
    this.flush()
    const whole = continueTable(table, this.#tableBefore)
    this.#leaveTable()
    this.#builder.table(formatTable(whole.rows, false))
    this.#table = whole
    this.#last = null
  }

  #leaveTable(): void {
    this.#table = null
    this.#tableBefore = null
  }

  text(lines: string[]): void {
    this.#leaveTable()
    const text = lines.join('\n')
    const startsItem = isListItem(text)
    if (startsItem) {
      if (this.#code.length > 0) this.flush()
      this.#items.push(...lines)
      this.#last = null
      return
    }
    this.flush()
    const before = this.#line
    this.#line = lines.at(-1) ?? ''
    const goesOn = CONTINUES.test(text) || isTornApart(before, text)
    if (this.#last === 'page break' && goesOn)
      this.#builder.continueParagraph(text, findGlue(before, text))
    else this.#builder.paragraph(text)
    this.#last = SENTENCE_OPEN.test(text) ? 'open sentence' : null
  }

  flush(): void {
    if (this.#items.length > 0) this.#builder.list(this.#items)
    this.#items = []
    if (this.#code.length > 0) this.#builder.code(this.#code.join('\n'))
    this.#code = []
  }
}

function isHeading(group: readonly PdfLine[], { clear }: Layout): boolean {
  const text = textOf(group)
  return (
    ((group[0]?.size ?? 0) >= clear || NUMBERED.test(text)) &&
    group.length <= MAX_HEADING_LINES &&
    text.length <= MAX_HEADING_LENGTH &&
    /\p{L}/u.test(text) &&
    !/[.,;。，；]$/.test(text)
  )
}

interface Layout {
  /** Usual distance of two lines as a multiple of the type size. */
  leading: number
  /** Heading level of the type sizes above that of the body. */
  levels: Map<number, number>
  /** From this size on type is clearly larger than the body's; in a smaller one only lines with a part's number are headings. */
  clear: number
  /** Whether lines of equally wide letters stand out as code. */
  hasCode: boolean
}

function measureLayout(pages: readonly PdfLine[][]): Layout {
  const characters = countSizes(pages)
  const gaps = new Map<number, number>()
  for (const lines of pages) {
    for (const [i, line] of lines.entries()) {
      const gap = findGap(lines[i - 1], line)
      if (gap !== null) gaps.set(gap, (gaps.get(gap) ?? 0) + 1)
    }
  }
  const body = findMost(characters) ?? 0
  const larger = [...characters.keys()].filter((size) => size > body)
  larger.sort((a, b) => b - a)
  const levels = new Map(
    larger.map((size, rank) => [size, Math.min(rank + 1, HEADING_LEVELS)] as const),
  )
  const lengthOf = (lines: readonly PdfLine[]) =>
    lines.reduce((sum, { text }) => sum + text.length, 0)
  const all = pages.flat()
  const hasCode = lengthOf(all.filter(({ mono }) => mono)) < MOST_CODE * lengthOf(all)
  return { leading: findMost(gaps) ?? 1.2, levels, clear: body * HEADING_RATIO, hasCode }
}

function findMost(counts: ReadonlyMap<number, number>): number | null {
  let most: number | null = null
  for (const [value, count] of counts) {
    if (most === null || count > (counts.get(most) ?? 0)) most = value
  }
  return most
}

/** Distance of a line from the one above as a multiple of its size, in steps of a tenth; null when it does not follow below. */
function findGap(above: PdfLine | undefined, line: PdfLine): number | null {
  if (!above || above.size !== line.size || line.size === 0) return null
  const gap = Math.round(((above.y - line.y) / line.size) * 10) / 10
  return gap > 0.5 && gap < 4 ? gap : null
}

/** Lines that belong to one paragraph, heading or list. */
function groupLines(lines: readonly PdfLine[], layout: Layout): PdfLine[][] {
  const groups: PdfLine[][] = []
  const code = findSetOffCode(lines)
  let previous: PdfLine | undefined
  for (const line of lines) {
    const group = groups.at(-1)
    const gap = findGap(previous, line)
    const isApart = previous !== undefined && code.has(previous) !== code.has(line)
    const continues = gap !== null && gap <= layout.leading * PARAGRAPH_GAP && !isApart
    if (group && continues) group.push(line)
    else groups.push([line])
    previous = line
  }
  return groups
}

const textOf = (lines: readonly PdfLine[]): string => lines.map(({ text }) => text).join(' ')

interface NamedLines {
  group: readonly PdfLine[]
  /** Of the bookmark that they are. */
  depth: number | null
  /** Whether they are one of a list of such names. */
  isListed: boolean
}

/** Headings that bookmarks name, also close above their text. Names one after the other are a list of contents. */
function findNamed(groups: readonly PdfLine[][], depthOf: FindDepth): NamedLines[] {
  const parts = groups.flatMap((group) => cutAtNames(group, depthOf))
  return parts.map((part, at) => {
    const { depth } = part
    const [before, after] = [parts[at - 1]?.depth ?? null, parts[at + 1]?.depth ?? null]
    const isListed =
      depth !== null && ((before !== null && before >= depth) || (after !== null && after <= depth))
    return { ...part, isListed }
  })
}

function cutAtNames(group: readonly PdfLine[], depthOf: FindDepth): Omit<NamedLines, 'isListed'>[] {
  const parts: Omit<NamedLines, 'isListed'>[] = []
  for (let from = 0; from < group.length; ) {
    let end = Math.min(group.length, from + MAX_HEADING_LINES)
    let depth = depthOf(textOf(group.slice(from, end)))
    while (depth === null && --end > from) depth = depthOf(textOf(group.slice(from, end)))
    if (depth === null) end = group.length
    parts.push({ group: group.slice(from, end), depth })
    from = end
  }
  return parts
}

/** Runs of code that are set in from the lines around; the name of an option stands left of what it does, and a cell beside one. */
function findSetOffCode(lines: readonly PdfLine[]): Set<PdfLine> {
  const code = new Set<PdfLine>()
  for (let first = 0; first < lines.length; first++) {
    let last = first
    while (lines[last]?.mono) last++
    if (last === first) continue
    const run = lines.slice(first, last)
    const left = Math.min(...run.map(({ x }) => x))
    const around = [lines[first - 1], lines[last]].filter((line) => line !== undefined)
    const isSetOff = around.every(
      ({ x, y, size }) => x + size <= left && run.every((line) => line.y !== y),
    )
    if (isSetOff) for (const line of run) code.add(line)
    first = last
  }
  return code
}
