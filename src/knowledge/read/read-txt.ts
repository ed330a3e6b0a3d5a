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
/** An option or a name, above or beside what it means. */
const TERM = /^(?:[-+/$%@\\].{0,80}|\S+(?: \S+){0,2})$/u
/** …so far apart; columns of a table are further. */
const GAP = /\S {2,}(?=\S)/u
const COLUMN_GAP = ' '.repeat(4)
/** What is to be explained stands above it, in the manner of AsciiDoc. */
const ABOVE = /(?<=\S)::$/u
const INDENTED = 2
/** So many lines that stand out to the left make it a habit of the document. */
const HABIT = 2

/**
 * Reads plain text: paragraphs are separated by blank lines, hard-wrapped lines are joined. Underlined lines and those that stand
 * left of all that follows are headings, what hangs below or beside an option is one item with it, and commands are code.
 */
export function readTxt(source: string): ParsedDocument {
  const builder = new DocumentBuilder()
  const blocks = splitBlocks(source)
  const isOutdented = blocks.filter((_, at) => standsLeft(blocks, at)).length >= HABIT
  const underlines: string[] = []
  let items: string[] = []
  const endList = () => {
    if (items.length > 0) builder.list(items)
    items = []
  }
  for (const [at, block] of blocks.entries()) {
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

function splitBlocks(source: string): Line[][] {
  const blocks: Line[][] = []
  let lines: Line[] = []
  const flush = () => {
    if (lines.length > 0) blocks.push(lines)
    lines = []
  }
  for (const line of source.split(/\r\n?|\n/)) {
    const text = line.trim()
    if (text === '' || text === '\f' || isRule(text, lines)) flush()
    else lines.push({ text, indent: columns(/^\s*/u.exec(line)?.[0] ?? '') })
  }
  flush()
  return blocks
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
    builder.code(lines.map(({ text, indent }) => pad(indent - first.indent) + text).join('\n'))
    return
  }
  const item = hangingItem(lines)
  if (item !== null) builder.list([item])
  else builder.paragraph(unwrapLines(texts).join('\n'))
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
  if (heads.length === 0 || heads.length > 3 || heads.some(isLong)) return null
  const names = heads.map((text) => text.replace(/:+$/u, ''))
  if (!names.every((one) => TERM.test(one))) return null
  return writeItem(names.join(', '), below)
}

/** A name and the meaning beside it. */
function besides(text: string): [name: string, meaning: string] | null {
  const gap = GAP.exec(text)
  if (gap === null || gap.index >= MAX_HEADING) return null
  const meaning = text.slice(gap.index + gap[0].length)
  return meaning.includes(COLUMN_GAP) ? null : [text.slice(0, gap.index + 1), meaning]
}

/** No name is so long, and patterns that look for one need not read it. */
const isLong = (text: string): boolean => text.length > MAX_HEADING

const writeItem = (name: string, meaning: readonly string[]): string =>
  `- ${name}: ${unwrapLines(meaning).join(' ')}`
