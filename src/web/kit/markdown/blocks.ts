import { type Definitions, foldLabel, readInline } from './inline'
import type { Item, Part } from './parts'

/** Blocks may nest this deep; what a reply nests deeper is running text. */
const MAX_DEPTH = 16
/** Lines of a formula are looked ahead so far. */
const MAX_FORMULA = 40

const FENCE = /^ {0,3}(?:(`{3,})([^`]*)|(~{3,})(.*))$/s
const HEADING = /^ {0,3}(#{1,6})(?![^ \t])(.*)/s
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const QUOTE = /^ {0,3}>[ \t]?/
const MARKER = /^( {0,3}(?:[-+*]|(\d{1,9})[.)]))(?:([ \t]+)(.*)|[ \t]*)$/s
const TASK = /^\[([ xX])\][ \t]+/
const DASHES = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/
const DEFINITION =
  /^ {0,3}\[([^\]\\^[][^\]\\[]{0,200})\]:[ \t]*(?:<([^<>\n]*)>|(\S+))(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^()]*\)))?[ \t]*$/
/** What a line may begin with, when nothing tells yet what it is. */
const UNSURE =
  /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(?:(?:(?!>)[-+*_=~`#|>]+|\d{1,9}[.)]?|\[[ xX]?\]?)[ \t]*)?$/
const DEFINING = /^ {0,3}\[[^\]\d][^\]]{0,200}(?:\]:.*)?$/
const FORMULA = /^ {0,3}(\$\$|\\\[)[ \t]*$/

const isBlank = (line: string): boolean => line.trim() === ''

function nextFull(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && isBlank(lines[at] ?? '')) at++
  return at
}

/** Columns that a line begins with blanks for. */
function indentOf(line: string): number {
  let columns = 0
  for (const sign of line) {
    if (sign === ' ') columns += 1
    else if (sign === '\t') columns += 4 - (columns % 4)
    else break
  }
  return columns
}

/** A line without so many of the columns it begins with. */
function outdent(line: string, columns: number): string {
  const indent = indentOf(line)
  return ' '.repeat(Math.max(0, indent - columns)) + line.trimStart()
}

/** What a text defines: addresses by their labels. A mark's number is one only where something refers to it. */
export function definitionsOf(text: string): Definitions {
  const found = new Map<string, string>()
  if (!text.includes(']:')) return found
  for (const line of text.split('\n')) {
    const [, label = '', wrapped, bare] = DEFINITION.exec(line) ?? []
    const key = foldLabel(label)
    if (key === '' || found.has(key) || (/^\d+$/.test(key) && !text.includes(`][${key}]`))) continue
    found.set(key, wrapped ?? bare ?? '')
  }
  return found
}

/** How headings are levelled: the page's own stand above them, and none is left out. */
export interface Levels {
  base: number
  last: number
}

/** A block and the line that it begins in. */
export interface Block {
  part: Part
  line: number
  levels: Levels
}

/** The blocks of a text. @param open more of it may follow */
export function readBlocks(
  text: string,
  definitions: Definitions,
  levels: Levels,
  open: boolean,
): Block[] {
  const lines = text.split(/\r?\n/)
  const last = lines.at(-1) ?? ''
  if (open && (isBlank(last) || UNSURE.test(last) || DEFINING.test(last))) lines.pop()
  return new Reader(definitions, { ...levels }).read(lines, 0, open)
}

class Reader {
  readonly #definitions: Definitions
  readonly #levels: Levels

  constructor(definitions: Definitions, levels: Levels) {
    this.#definitions = definitions
    this.#levels = levels
  }

  /** @param open whether the last line may go on */
  read(lines: readonly string[], depth: number, open: boolean): Block[] {
    const blocks: Block[] = []
    let levels = { ...this.#levels }
    let words: string[] = []
    let from = 0
    const add = (line: number, part: Part) => {
      blocks.push({ part, line, levels })
      levels = { ...this.#levels }
    }
    const flush = (isLast = false, tag = 'p') => {
      if (words.length > 0) {
        const parts = this.#inline(words.join('\n').trimEnd(), open && isLast)
        if (parts.length > 0 || tag !== 'p') add(from, { tag, parts })
      }
      words = []
    }
    for (let at = 0; at < lines.length; ) {
      const line = lines[at] ?? ''
      const isIn = words.length > 0
      const next =
        isBlank(line) || depth > MAX_DEPTH ? null : this.#block(lines, at, depth, isIn, open)
      if (next) {
        flush()
        if (next.part) add(at, next.part)
        at = next.end
        continue
      }
      const underline = isIn ? UNDERLINE.exec(line)?.[1] : undefined
      if (underline) {
        const tag = this.#heading(underline[0] === '=' ? 1 : 2)
        flush(false, tag)
      } else if (isBlank(line)) flush()
      else {
        if (!isIn) from = at
        words.push(line.trimStart())
      }
      at += 1
    }
    flush(true)
    return blocks
  }

  #inline(text: string, open: boolean): Item[] {
    return readInline(text, this.#definitions, open)
  }

  #heading(level: number): string {
    const levels = this.#levels
    if (levels.base === 0) levels.base = level
    levels.last = Math.min(6, Math.max(3, 3 + level - levels.base), levels.last + 1)
    return `h${levels.last}`
  }

  /** The block that begins in a line and where it ends; null where that is running text. */
  #block(
    lines: readonly string[],
    at: number,
    depth: number,
    isIn: boolean,
    open: boolean,
  ): { part: Part | null; end: number } | null {
    const line = lines[at] ?? ''
    const isLast = (end: number) => open && end >= lines.length
    if (indentOf(line) >= 4) return isIn ? null : readCode(lines, at)
    const fence = FENCE.exec(line)
    if (fence) return readFence(lines, at, fence)
    const heading = HEADING.exec(line)
    if (heading) {
      const [, signs = '', rest = ''] = heading
      const words = rest.replace(/\s#+\s*$/, '').trim()
      const tag = this.#heading(signs.length)
      return { part: { tag, parts: this.#inline(words, isLast(at + 1)) }, end: at + 1 }
    }
    if (RULE.test(line) && !(isIn && UNDERLINE.test(line)))
      return { part: { tag: 'hr', parts: [] }, end: at + 1 }
    if (QUOTE.test(line)) return this.#quote(lines, at, depth, open)
    if (opensList(line, isIn)) return this.#list(lines, at, depth, open)
    const formula = isIn ? 0 : formulaEnd(lines, at)
    if (formula > 0) {
      const text = lines.slice(at, formula).join('\n').trim()
      return { part: { tag: 'p', parts: this.#inline(text, false) }, end: formula }
    }
    if (!isIn && this.#isDefinition(line)) return { part: null, end: at + 1 }
    return this.#table(lines, at, open)
  }

  #isDefinition(line: string): boolean {
    const label = DEFINITION.exec(line)?.[1]
    return label !== undefined && this.#definitions.has(foldLabel(label))
  }

  #parts(lines: readonly string[], depth: number, open: boolean): Part[] {
    return this.read(lines, depth + 1, open).map(({ part }) => part)
  }

  #quote(lines: readonly string[], at: number, depth: number, open: boolean) {
    const inner: string[] = []
    let end = at
    for (; end < lines.length; end++) {
      const line = lines[end] ?? ''
      if (QUOTE.test(line)) inner.push(line.replace(QUOTE, ''))
      else if (isBlank(line) || !isLazy(inner.at(-1), line)) break
      else inner.push(line)
    }
    const parts = this.#parts(inner, depth, open && end >= lines.length)
    return { part: { tag: 'blockquote', parts }, end }
  }

  #list(lines: readonly string[], at: number, depth: number, open: boolean) {
    const [, first = '', number] = MARKER.exec(lines[at] ?? '') ?? []
    const kind = first.at(-1)
    const items: Part[] = []
    let end = at
    while (end < lines.length) {
      const [, marker = '', , blanks = '', words = ''] = MARKER.exec(lines[end] ?? '') ?? []
      if (marker.at(-1) !== kind || RULE.test(lines[end] ?? '')) break
      const room = indentOf(blanks)
      const column = marker.length + (room > 4 || room === 0 ? 1 : room)
      const inner = [' '.repeat(Math.max(0, room > 4 ? room - 1 : 0)) + words]
      end += 1
      for (; end < lines.length; end++) {
        const line = lines[end] ?? ''
        if (isBlank(line)) {
          const next = nextFull(lines, end)
          // An item that begins with an empty line ends with it.
          const isOver = inner.length === 1 && isBlank(words)
          if (isOver || indentOf(lines[next] ?? '') < column) break
          for (; end < next - 1; end++) inner.push('')
          inner.push('')
        } else if (indentOf(line) >= column) inner.push(outdent(line, column))
        else if (isLazy(inner.at(-1), line)) inner.push(line)
        else break
      }
      items.push(this.#item(inner, depth, open && end >= lines.length))
      const next = nextFull(lines, end)
      if (MARKER.exec(lines[next] ?? '')?.[1]?.at(-1) === kind) end = next
    }
    const start = number === undefined || Number(number) === 1 ? {} : { value: Number(number) }
    return { part: { tag: number === undefined ? 'ul' : 'ol', ...start, parts: items }, end }
  }

  /** The first paragraph of an item is its own text. */
  #item(lines: string[], depth: number, open: boolean): Part {
    const task = TASK.exec(lines[0] ?? '')
    if (task) lines[0] = (lines[0] ?? '').slice(task[0].length)
    const [first, ...rest] = this.#parts(lines, depth, open)
    const own = first?.tag === 'p' ? first.parts : first ? [first] : []
    const check = task ? [{ tag: 'check', value: task[1] !== ' ', parts: [] }, ' '] : []
    return { tag: 'li', parts: [...check, ...own, ...rest] }
  }

  #table(lines: readonly string[], at: number, open: boolean) {
    const line = lines[at] ?? ''
    const next = lines[at + 1]
    const head = cellsOf(line, open && next === undefined)
    const isHead =
      line.includes('|') &&
      (next === undefined
        ? open && line.trimStart().startsWith('|')
        : open && at + 2 === lines.length && line.trimStart().startsWith('|')
          ? /^[ \t|:-]*$/.test(next)
          : DASHES.test(next) && next.includes('|') && cellsOf(next, false).length === head.length)
    if (!isHead) return null
    const row = (cells: readonly string[], tag: string, isLast: boolean) => ({
      tag: 'tr',
      parts: Array.from({ length: Math.max(head.length, cells.length) }, (_, column) => ({
        tag,
        parts: this.#inline(cells[column] ?? '', isLast && column === cells.length - 1),
      })),
    })
    let end = Math.min(lines.length, at + 2)
    const rows: Part[] = []
    for (; end < lines.length; end++) {
      const line = lines[end] ?? ''
      if (!line.includes('|') || startsBlock(line)) break
      const isLast = open && end + 1 === lines.length
      rows.push(row(cellsOf(line, isLast), 'td', isLast))
    }
    const top = row(head, 'th', open && rows.length === 0)
    const body = rows.length > 0 ? [{ tag: 'tbody', parts: rows }] : []
    return { part: { tag: 'table', parts: [{ tag: 'thead', parts: [top] }, ...body] }, end }
  }
}

/** Cells of a row; a bar in code, or behind a backslash, is one of its signs. */
function cellsOf(row: string, open: boolean): string[] {
  const cells: string[] = ['']
  const pieces = /\\[\s\S]|(`+)(?:(?!\1)[\s\S])*?(\1|$)|\||[^\\`|]+/g
  for (const [piece, ticks, closing] of row.trim().matchAll(pieces)) {
    if (ticks && !closing && !open) {
      const [first = '', ...others] = piece.split('|')
      cells[cells.length - 1] += first
      cells.push(...others)
    } else if (piece === '|') cells.push('')
    else cells[cells.length - 1] += piece.replaceAll('\\|', '|')
  }
  if (cells.length > 1 && cells[0] === '') cells.shift()
  if (cells.length > 1 && cells.at(-1) === '') cells.pop()
  return cells.map((cell) => cell.trim())
}

/** Whether a line opens a list; in running text only where it cannot be part of that. */
function opensList(line: string, isIn: boolean): boolean {
  const [found, , number, , words] = MARKER.exec(line) ?? []
  if (found === undefined || RULE.test(line)) return false
  return !isIn || (!isBlank(words ?? '') && (number === undefined || Number(number) === 1))
}

const startsBlock = (line: string): boolean =>
  FENCE.test(line) ||
  HEADING.test(line) ||
  RULE.test(line) ||
  QUOTE.test(line) ||
  opensList(line, false)

/** Whether a line goes on with the running text of a quote or an item, although it has not its sign or blanks. */
function isLazy(before: string | undefined, line: string): boolean {
  if (before === undefined || isBlank(before) || startsBlock(line)) return false
  const text = before.replace(/^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/, '')
  return !isBlank(text) && !FENCE.test(text) && !HEADING.test(text) && !RULE.test(text)
}

function readCode(lines: readonly string[], at: number) {
  let end = at
  while (end < lines.length && (isBlank(lines[end] ?? '') || indentOf(lines[end] ?? '') >= 4)) end++
  const code = lines.slice(at, end).map((line) => outdent(line, 4))
  return { part: codeOf(code.join('\n').trimEnd(), ''), end }
}

function readFence(lines: readonly string[], at: number, found: RegExpExecArray) {
  const [opening, ticks, ticksInfo, waves, wavesInfo] = found
  const run = ticks ?? waves ?? ''
  const info = (ticksInfo ?? wavesInfo ?? '').trim()
  const indent = indentOf(opening)
  const closes = (line: string) =>
    indentOf(line) < 4 &&
    line.trim().startsWith(run) &&
    line.trim().replaceAll(run[0] ?? '', '') === ''
  let end = at + 1
  while (end < lines.length && !closes(lines[end] ?? '')) end++
  const code = lines.slice(at + 1, end)
  const text = code.map((line) => outdentUpTo(line, indent)).join('\n')
  return { part: codeOf(text, info), end: end + 1 }
}

const outdentUpTo = (line: string, columns: number): string =>
  columns === 0 ? line : outdent(line, Math.min(columns, indentOf(line)))

const codeOf = (code: string, info: string): Part => ({
  tag: 'pre',
  value: info.split(/\s/)[0]?.slice(0, 24) ?? '',
  parts: code === '' ? [] : [code],
})

/** Where a formula over several lines ends that begins in this one; 0 for none. */
function formulaEnd(lines: readonly string[], at: number): number {
  const opening = FORMULA.exec(lines[at] ?? '')?.[1]
  if (opening === undefined) return 0
  const closing = opening === '$$' ? '$$' : '\\]'
  for (let end = at + 1; end < Math.min(lines.length, at + MAX_FORMULA); end++) {
    const line = lines[end] ?? ''
    if (isBlank(line)) return 0
    if (line.includes(closing)) return end + 1
  }
  return 0
}
