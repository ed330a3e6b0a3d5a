import type { ParsedDocument } from '../types'
import { DocumentBuilder } from './document-builder'
import { isListItem, unwrapLines } from './unwrap-lines'

interface Line {
  text: string
  /** Columns before the text. */
  indent: number
}

const TAB = 8
const MAX_HEADING = 100
/** A wider line that stands left of the next is a paragraph whose first line hangs out. */
const MAX_LEFT = 60
/** What a heading is underlined with; a length apart from its own is a rule across the page. */
const UNDERLINE = /^([=\-~^"*#`+])\1{2,}$/u
const UNDERLINE_SLACK = 2
/** A shell's sign before a command. */
const PROMPT = /^[$%] \S/u
/** How a command is called: what may be left out stands in brackets. */
const USAGE = /\[[^[\]]+\].*(?:\[|<|\.{3}|…)|\[[^[\]]+\](?:\.{3}|…)/u
const ENDS_SENTENCE = /[.,;:!?。！？：；،؟]$/u
/** A version or a date, as an entry of a changelog begins with. */
const DOTTED = /\d[./-]\d/u
/** "3.1.2. …": the number of a section. */
const SECTION = /^(?:\p{Lu}|\d{1,3})((?:\.\d{1,3})+)\.?\s+(?=["'“«„‘(¿¡]*[\p{L}\p{N}])/u
/** …and of a chapter: "Chapter 3. …", "第 3 章 …", "3. …". */
const CHAPTER = /^(?:\p{Lu}\p{L}+ \d{1,2}\.|第 ?\d{1,2} ?章[.．]?|\d{1,2}\.)\s+\S/u
const MAX_SECTION_LINES = 3
const MAX_SECTION = 200
const ENDS_TEXT = /[.,:;。：；،]$/u
/** A mark by which code is cut out of its text: "---%<---". */
const CUT = /^[-=_]{2,}\s?(?:%<|>%|8<|>8|✂)\s?[-=_]{2,}$/u
const LEADS_IN = /[:：]$/u
/** What a command, a path or a setting begins with. */
const BEGINS_CODE = /^(?!https?:)[\p{Ll}\d$#%<>/~.({[@"'`_]/u
const ENDS_PROSE = /[.!?,:。！？，：]$/u
/** What joins two names of one thing: "h or ?". */
const OR = '(?:or|ou|oder|o|или|أو|或|または)'
/** An option or a name, above or beside what it means. */
const TERM = new RegExp(
  String.raw`^(?:[-+/$%@\\].{0,80}|\S+(?: \S+){0,2}|\S+(?: ${OR} \S+){1,5})$`,
  'u',
)
const ENDS_WITH_OR = new RegExp(String.raw`\s${OR}$`, 'u')
/** …so far apart; columns of a table are further. */
const GAP = /(?<! ) {2,}(?=\S)/gu
const COLUMN_GAP = ' '.repeat(4)
/** What is to be explained stands above it, in the manner of AsciiDoc. */
const ABOVE = /(?<=\S)::$/u
const INDENTED = 2
/** So many lines that stand out to the left make it a habit of the document. */
const HABIT = 2

/**
 * Reads plain text: paragraphs are separated by blank lines, hard-wrapped lines are joined. Underlined and numbered lines and
 * those that stand left of all that follows are headings, what hangs below or beside an option is one item with it, and commands
 * are code.
 */
export function readTxt(source: string): ParsedDocument {
  const builder = new DocumentBuilder()
  const { blocks, cutOut } = splitBlocks(source)
  const isOutdented = blocks.filter((_, at) => standsLeft(blocks, at)).length >= HABIT
  const isNumbered = blocks.filter((block) => sectionLevel(block) !== null).length >= HABIT
  const underlines: string[] = []
  let items: string[] = []
  const endList = () => {
    if (items.length > 0) builder.list(items)
    items = []
  }
  for (const [at, block] of blocks.entries()) {
    const section = isNumbered ? (sectionLevel(block) ?? chapterLevel(blocks, at)) : null
    if (section !== null) {
      endList()
      builder.heading(section, unwrapLines(block.map(({ text }) => text)).join(' '))
      continue
    }
    const isLedIn = LEADS_IN.test(blocks[at - 1]?.at(-1)?.text ?? '')
    if (cutOut.has(block) || (isLedIn && isCode(block))) {
      endList()
      addCode(builder, block)
      continue
    }
    const isLeft = isOutdented && standsLeft(blocks, at)
    const item = isLeft ? null : hangingItem(block)
    if (item !== null) {
      items.push(item)
      continue
    }
    endList()
    let rest = block
    const [first, second] = block
    const sign = first && second && underlineOf(first, second)
    if (first && sign) {
      if (!underlines.includes(sign)) underlines.push(sign)
      builder.heading(underlines.indexOf(sign) + 1, first.text)
      rest = block.slice(2)
    } else if (first && block.length === 1 && ABOVE.test(first.text)) {
      builder.heading(underlines.length + 1, first.text.replace(ABOVE, ''))
      rest = []
    } else if (first && (isEntry(block) || isLeft)) {
      builder.heading(first.indent > 0 ? 2 : 1, first.text)
      rest = block.slice(1)
    }
    addBlock(builder, rest)
  }
  endList()
  return builder.finish(null)
}

function splitBlocks(source: string): { blocks: Line[][]; cutOut: Set<Line[]> } {
  const blocks: Line[][] = []
  const cutOut = new Set<Line[]>()
  let isCutOut = false
  let lines: Line[] = []
  const flush = () => {
    if (lines.length > 0) blocks.push(lines)
    lines = []
  }
  for (const line of source.split(/\r\n?|\n/)) {
    const text = line.trim()
    if (CUT.test(text)) {
      if (isCutOut) cutOut.add(lines)
      flush()
      isCutOut = !isCutOut
    } else if (isCutOut && text === '') lines.push({ text, indent: 0 })
    else if (text === '' || text === '\f' || isRule(text, lines)) flush()
    else lines.push({ text, indent: columns(/^\s*/u.exec(line)?.[0] ?? '') })
  }
  flush()
  return { blocks, cutOut }
}

/** A rule across the page, which underlines nothing; AsciiDoc goes on with a plus. */
function isRule(text: string, lines: readonly Line[]): boolean {
  if (text === '+') return true
  if (!UNDERLINE.test(text)) return false
  const [above] = lines
  return lines.length !== 1 || !above || underlineOf(above, { text, indent: 0 }) === null
}

const columns = (space: string): number => space.length + (TAB - 1) * (space.split('\t').length - 1)

function underlineOf({ text }: Line, { text: line }: Line): string | null {
  const sign = UNDERLINE.exec(line)?.[1]
  const isAsLong = Math.abs(line.length - text.length) <= UNDERLINE_SLACK
  return sign !== undefined && isAsLong && /\p{L}/u.test(text) ? sign : null
}

const mayBeHeading = ({ text }: Line): boolean =>
  text.length <= MAX_HEADING && !ENDS_SENTENCE.test(text) && !isListItem(text)

/** How deep a section's number is, at the left; a table of contents has one in each line. */
function sectionLevel(block: readonly Line[]): number | null {
  const [first, ...others] = block
  const number = first && first.indent < TAB / 2 ? SECTION.exec(first.text)?.[1] : undefined
  const isWhole =
    block.length <= MAX_SECTION_LINES &&
    block.reduce((sum, { text }) => sum + text.length, 0) <= MAX_SECTION &&
    !others.some(({ text }) => SECTION.test(text)) &&
    !ENDS_TEXT.test(block.at(-1)?.text ?? '')
  return number !== undefined && isWhole ? number.split('.').length : null
}

/** A chapter's name; "3. …" may be an item, but not above text that is set in. */
function chapterLevel(blocks: readonly Line[][], at: number): number | null {
  const block = blocks[at] ?? []
  const [first, second] = block
  const text = unwrapLines(block.map((line) => line.text)).join(' ')
  const isChapter =
    first?.indent === 0 &&
    block.length < MAX_SECTION_LINES &&
    text.length <= MAX_HEADING &&
    CHAPTER.test(text) &&
    !ENDS_TEXT.test(text) &&
    (!isListItem(text) || (second === undefined && (blocks[at + 1]?.[0]?.indent ?? 0) >= INDENTED))
  return isChapter ? 1 : null
}

/** Whether lines below a colon are what was promised, and no text. */
const isCode = (block: readonly Line[]): boolean =>
  block.every(
    ({ text }) => BEGINS_CODE.test(text) && !ENDS_PROSE.test(text) && !isListItem(text),
  ) && hangingItem(block) === null

/** A version with its date above what changed. */
function isEntry([first, ...items]: readonly Line[]): boolean {
  return (
    first !== undefined &&
    items.length > 0 &&
    mayBeHeading(first) &&
    DOTTED.test(first.text) &&
    isListItem(items[0]?.text ?? '') &&
    items.every(({ text, indent }) => isListItem(text) || indent > first.indent)
  )
}

/** A page's heading at the left, above text that is set in. */
function standsLeft(blocks: readonly Line[][], at: number): boolean {
  const [first, second = blocks[at + 1]?.[0]] = blocks[at] ?? []
  return (
    first !== undefined &&
    second !== undefined &&
    first.indent < TAB / 2 &&
    second.indent >= first.indent + INDENTED &&
    mayBeHeading(first) &&
    first.text.length <= MAX_LEFT &&
    !/^[-$%]|[.;!?] \p{Lu}/u.test(first.text)
  )
}

function addBlock(builder: DocumentBuilder, lines: readonly Line[]): void {
  const [first] = lines
  if (first === undefined) return
  const texts = lines.map(({ text }) => text)
  const isUsage =
    texts.filter((text) => USAGE.test(text)).length > texts.length / 2 &&
    !texts.some((text) => /\p{L}\.$/u.test(text))
  if (isUsage || PROMPT.test(first.text)) {
    addCode(builder, lines)
    return
  }
  const item = hangingItem(lines)
  if (item !== null) builder.list([item])
  else builder.paragraph(unwrapLines(texts).join('\n'))
}

function addCode(builder: DocumentBuilder, lines: readonly Line[]): void {
  const left = Math.min(...lines.filter(({ text }) => text !== '').map(({ indent }) => indent))
  builder.code(lines.map(({ text, indent }) => pad(indent - left) + text).join('\n'))
}

const pad = (columns: number): string => ' '.repeat(Math.max(0, columns))

/** A name and what it means: the meaning stands beside the name and goes on below itself, or is set in below the name. */
function hangingItem(lines: readonly Line[]): string | null {
  const [first] = lines
  if (first === undefined || isListItem(first.text)) return null
  const from = lines.findIndex(({ indent }) => indent >= first.indent + INDENTED)
  const rest = from < 0 ? [] : lines.slice(from)
  if (rest.some(({ indent }) => indent <= first.indent)) return null
  const below = rest.map(({ text }) => text)
  const [name, meaning] = besides(first.text) ?? []
  if (name !== undefined && meaning !== undefined && TERM.test(name)) {
    if (lines.length > 1 && from !== 1) return null
    return writeItem(name, [meaning, ...below])
  }
  const heads = lines.slice(0, Math.max(from, 0)).map(({ text }) => text)
  if (heads.length === 0 || heads.length > 3 || heads.some(isNoName)) return null
  const names = heads.map((text) => text.replace(/:+$/u, ''))
  const isName = (one: string) =>
    TERM.test(one) || (names.length === 1 && isShortFor(one, below[0] ?? ''))
  if (!names.every(isName)) return null
  return writeItem(names.join(', '), below)
}

/** "edns0 (since glibc 2.6)": more words than a name has mostly, but no line of running text. */
const isShortFor = (name: string, meaning: string): boolean =>
  name.length <= MAX_LEFT && name.length < meaning.length && !ENDS_SENTENCE.test(name)

/** A name and the meaning beside it, behind the first gap; in a line set to full width any gap may be the first. */
function besides(text: string): [name: string, meaning: string] | null {
  const gaps = [...text.matchAll(GAP)]
  const at = gaps.findIndex(({ index }) => !ENDS_WITH_OR.test(text.slice(0, index)))
  const gap = gaps[at]
  if (gap === undefined || gap.index >= MAX_HEADING) return null
  const name = text.slice(0, gap.index).replaceAll(GAP, ' ')
  const meaning = text.slice(gap.index + gap[0].length)
  const isSetWide =
    !/^[-+/]\S*$/u.test(name) && gaps.slice(at + 1).some(([other]) => other.length >= gap[0].length)
  return meaning.includes(COLUMN_GAP) || isSetWide ? null : [name, meaning]
}

/** No name is so long, and patterns that look for one need not read it; gaps are those of a line set to full width. */
const isNoName = (text: string): boolean => text.length > MAX_HEADING || text.includes('  ')

const writeItem = (name: string, meaning: readonly string[]): string =>
  `- ${name}: ${unwrapLines(meaning).join(' ').replaceAll(GAP, ' ')}`
