/** Code between fences, at a place where every renderer sees it as such. */
export interface Fence {
  /** The opening run of backticks or tildes. */
  mark: string
  /** The quote sign that each of its lines begins with, with the spaces before it. */
  quote: string
  /** A line that is indented less has left the block of code. */
  least: number
  /** The column of the opening run; lines written on the fence's behalf stand there. */
  column: number
  /** Whether every renderer knows which list encloses it. */
  sure: boolean
}

/** What a line does to the code that it stands in. */
export type FenceLine =
  | 'code'
  | 'closes'
  /** Some renderers would close here, or the writer meant to: a plain closing line takes its place. */
  | 'meant_to_close'
  /** The block of code ended before this line without being closed. */
  | 'left'

const CONTAINERS = String.raw`[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t][ \t>]*)*`
/** With a bracket behind it, the line may be the label of a definition instead. */
const OPENING = new RegExp(`^(${CONTAINERS})(\`{3,}(?=[^\`\\]]*$)|~{3,}(?=[^\\]]*$))`, 'u')
const MAYBE_OPENING = new RegExp(
  `^${CONTAINERS}(?:[-*+]|\\d{1,9}[.)]?|\`+|~+|\`{3,}[^\`]*|~{3,}[^\\n]*)?$`,
  'u',
)
/** Longer lines open no code. */
const MAX_OPENING = 300
const QUOTED = /^( *>) ?( {0,3})$/u
const ITEM_LEAD = /^( *)([-*+]|(\d{1,9})[.)])( {1,4})$/u
const ITEM = /^( *)([-*+]|(\d{1,9})[.)])( {1,4})(?=\S)(?![-*+>][ \t]|\d{1,9}[.)][ \t])/u
const CLOSING_LIKE = /^([ \t]*)([`~]{3,})(?:[ \t][`~ \t]*)?$/u
/** What may begin a list item, a quote or a footnote. */
const MARKER = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|>|\[\^)/u
const BLANK = /^[ \t]*$/u
const ODD_END = /[^\S \t][ \t]*$/u
const TABLE_RULE = /^(?=.*-)(?=.*[|:])[ \t>|:-]+$/u

/** Whether a line may be the second of a table: the one that makes the lines around it cells. */
export const isTableRule = (line: string): boolean => TABLE_RULE.test(line)

/**
 * Follows the blocks of a reply as far as code depends on them. Only what every renderer agrees on counts: where they
 * may differ about the lists around a line, the line opens no code.
 */
export class BlockReader {
  /** The columns at which the content of the open list items begins, the outermost first. */
  #items: number[] = []
  #sure = true
  #afterBlank = true
  /** Nothing but empty lines since a line of indented code: a number other than one begins no list everywhere. */
  #afterIndented = false
  /** A table may be going on. */
  table = false

  /** Whether an unfinished line may yet open a block of code. */
  mayOpen(line: string): boolean {
    return line.length <= MAX_OPENING && MAYBE_OPENING.test(line)
  }

  /** The block of code that a whole line opens, if it does so for every renderer. */
  open(line: string): Fence | null {
    const match = line.length <= MAX_OPENING ? OPENING.exec(line) : null
    const lead = match?.[1] ?? ''
    if (match === null || lead.includes('\t')) return null
    const fence = this.#place(lead, match[2] ?? '')
    if (fence !== null) {
      const outer = lead.search(/[^ ]|$/u)
      this.#items = this.#items.filter((column) => column <= outer)
      if (fence.quote !== '') this.#sure = false
      else if (lead.trim() !== '') this.#items.push(fence.column)
      this.#afterIndented = false
      this.table = false
    }
    return fence
  }

  #place(lead: string, mark: string): Fence | null {
    const level = this.#level(lead.search(/[^ ]|$/u))
    if (level === null) return null
    if (lead.trim() === '')
      return { mark, quote: '', least: level.least, column: lead.length, sure: level.sure }
    const quoted = QUOTED.exec(lead)
    if (quoted !== null) {
      const column = quoted[2]?.length ?? 0
      return { mark, quote: quoted[1] ?? '', least: column, column, sure: false }
    }
    const item = ITEM_LEAD.exec(lead)
    // What begins with another number is a list to one renderer and text to the next.
    if (item === null || (item[3] ?? '1') !== '1') return null
    return { mark, quote: '', least: lead.length, column: lead.length, sure: level.sure }
  }

  /** A number other than one begins no list in the middle of a paragraph; in a column that leaves an item it does. */
  #begins(number: string | undefined, column: number): boolean {
    if (number === undefined || number === '1') return true
    const leaves = this.#sure && column < (this.#items.at(-1) ?? 0)
    return (this.#afterBlank || leaves) && !this.#afterIndented
  }

  /** Where a block that starts in this column belongs; null when it may be the paragraph's text or indented code. */
  #level(column: number): { least: number; sure: boolean } | null {
    if (!this.#sure) return column <= 3 ? { least: column, sure: column === 0 } : null
    const least = this.#items.findLast((item) => item <= column) ?? 0
    return column - least <= 3 ? { least, sure: true } : null
  }

  /** A line of text has ended. */
  endLine(line: string): void {
    if (BLANK.test(line)) {
      this.#afterBlank = true
      this.table = false
      return
    }
    if (isTableRule(line)) this.table = true
    this.#readLists(line)
    // Some renderers take such a space for a line of its own when it ends a list item.
    if (ODD_END.test(line)) this.#sure = false
    this.#afterBlank = false
    // A tab may have made it code.
    this.#afterIndented = /^ {0,3}\t/u.test(line)
  }

  /** A block of code has ended: no paragraph is open that the next line could go on with. */
  endFence(): void {
    this.#afterBlank = true
  }

  /** A line of indented code has ended. */
  endIndented(): void {
    this.#afterBlank = true
    this.#afterIndented = true
  }

  /** Whether a line is code because it is indented: no paragraph before it, no list or footnote around it. */
  isIndented(line: string): boolean {
    return line.startsWith('    ') && this.#afterBlank && this.#sure && this.#items.length === 0
  }

  #readLists(line: string): void {
    const column = line.search(/[^ ]/u)
    const item = ITEM.exec(line)
    const level = this.#level(column)
    if (item !== null && level !== null && this.#begins(item[3], column)) {
      if (column === 0) this.#sure = true
      this.#items = this.#items.filter((open) => open <= column)
      this.#items.push(item[0].length)
      return
    }
    if (MARKER.test(line) || line.charAt(column) === '\t') {
      this.#sure = false
    } else if (this.#afterBlank) {
      if (column === 0) this.#sure = true
      this.#items = this.#items.filter((open) => open <= column)
    } else if (column < (this.#items.at(-1) ?? 0)) {
      // The paragraph of the list may go on here.
      this.#sure = false
    }
  }
}

/** What a line does to the fence that it stands in. */
export function readFenceLine(fence: Fence, line: string): FenceLine {
  const inner = inside(fence, line)
  const indent = columns(inner ?? line.replace(/^[ \t>]*/u, ''))
  const left = inner === null || (!BLANK.test(inner) && indent < fence.least)
  const like = CLOSING_LIKE.exec(left ? line.replace(/^[ \t>]*/u, '') : (inner ?? ''))
  if (like?.[2]?.startsWith(fence.mark) !== true) return left ? 'left' : 'code'
  if (left) return 'meant_to_close'
  if (indent > fence.column + 3) return 'code'
  const own = fence.mark.charAt(0)
  const plain = (inner ?? '').trim().replaceAll(own, '') === '' && !(inner ?? '').includes('\t')
  const here = fence.sure ? indent <= fence.least + 3 : indent === fence.column
  return plain && here ? 'closes' : 'meant_to_close'
}

/** A line that closes the fence for every renderer. */
export function closingLine(fence: Fence): string {
  const lead = fence.quote === '' ? '' : `${fence.quote} `
  return `${lead}${' '.repeat(fence.column)}${fence.mark}`
}

/** A line without the quote sign of its fence; null when it does not have it. */
function inside(fence: Fence, line: string): string | null {
  if (!line.startsWith(fence.quote)) return null
  const rest = line.slice(fence.quote.length)
  return fence.quote === '' ? rest : rest.replace(/^ /u, '')
}

function columns(line: string): number {
  let column = 0
  for (const char of line) {
    if (char === '\t') column += 4 - (column % 4)
    else if (char === ' ') column++
    else break
  }
  return column
}
