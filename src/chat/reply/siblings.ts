import { type Cell, readCells } from './cells'
import { type Reading, readTokens, type Token } from './tokens'

/** What is read of a passage to tell its rows and lists apart. */
export interface SiblingPiece {
  readonly text: string
  readonly kind: 'sentence' | 'item' | 'row' | 'heading'
  readonly tokens: readonly Token[]
}

/** A row of a table: what it is of, and its cells where its columns are named. */
interface Row {
  at: number
  label: readonly string[]
  cells: readonly Cell[]
}

/** Rows or lists that are looked at for what they are of. */
const MOST_OTHERS = 8
/** Rows of a passage that are read; a passage has room for no more that say anything. */
const MOST_ROWS = 200
/** Tokens between a column's name and its value in a sentence. */
const NEAR = 4
/** A row that names its columns (`formatRows`). */
export const NAMED_ROW = /^[^|]*\S \| \S/u

/** The rows and lists of a passage as each other's siblings: which of them a claim is of. Read when first asked. */
export class Siblings {
  readonly #pieces: readonly SiblingPiece[]
  readonly #leads: readonly number[]
  readonly #reading: Reading
  #rows: readonly Row[] | null = null

  /** @param leads the piece that leads in an item's list; −1 where nothing does */
  constructor(pieces: readonly SiblingPiece[], leads: readonly number[], reading: Reading) {
    this.#pieces = pieces
    this.#leads = leads
    this.#reading = reading
  }

  /** Whether a claim is of another row than this one, or of another list than this item's. */
  isOfOther(claim: readonly Token[], at: number): boolean {
    const kind = this.#pieces[at]?.kind
    if (kind === 'item') return this.#isOfOtherList(new Set(claim.map(({ key }) => key)), at)
    if (kind !== 'row') return false
    return this.#isOfOtherRow(claim, at) || this.#saysOfOther(claim)
  }

  /** Whether another row or list is of this word: its first cell or lead-in has it. False beside a sentence. */
  namesAnother(key: string, from: number, to: number, places: readonly number[]): boolean {
    const kind = this.#pieces[to]?.kind
    if (kind !== 'row' && kind !== 'item') return false
    const others = places.filter((at) => (at < from || at > to) && at !== this.#leads[to])
    return others.slice(0, MOST_OTHERS).some((at) => {
      if (kind === 'item') return this.#leads[at + 1] === at
      return this.#firstCell(at).some((token) => token.key === key)
    })
  }

  /** Whether a claim has all of another row's first cell, and not all of this one's. */
  #isOfOtherRow(claim: readonly Token[], at: number): boolean {
    const keys = new Set(claim.map(({ key }) => key))
    const isNamed = ({ label }: Row) => label.length > 0 && label.every((key) => keys.has(key))
    const own = this.#readRows().find((row) => row.at === at)
    if (own === undefined || isNamed(own)) return false
    return this.#readRows().some((row) => row !== own && isNamed(row))
  }

  /** Whether a claim that names one row and a column of it has there what only another row says. */
  #saysOfOther(claim: readonly Token[]): boolean {
    const rows = this.#readRows()
    const named = this.#namedRows(claim)
    const [span] = named.map((one) => one.span)
    // Rows of the same name are one: what any of them says may be meant.
    if (span === undefined || named.length > MOST_OTHERS) return false
    if (named.some((one) => one.span.from !== span.from)) return false
    const rest = claim.slice(0, span.from).concat(claim.slice(span.to))
    return named.every(({ row }) => contradicts(row, rest, rows))
  }

  /** The rows whose first cell a claim has whole, but not as a part of another cell that it has whole. */
  #namedRows(claim: readonly Token[]): { row: Row; span: Span }[] {
    const names: { row: Row; span: Span }[] = []
    const spans: Span[] = []
    for (const row of this.#readRows())
      for (const [column, { value }] of row.cells.entries()) {
        const span = spanOf(value, claim)
        if (span === null) continue
        spans.push(span)
        if (column === 0) names.push({ row, span })
      }
    return names.filter(({ span }) => !spans.some((other) => covers(other, span)))
  }

  /** Whether a claim has what another list's lead-in says and this one's does not, and nothing the other way round. */
  #isOfOtherList(claim: ReadonlySet<string>, item: number): boolean {
    const lead = this.#leads[item] ?? -1
    if (lead < 0) return false
    const own = this.#keysOf(lead)
    const others = [...new Set(this.#leads)].filter((at) => at >= 0 && at !== lead)
    return others.slice(0, MOST_OTHERS).some((at) => {
      const other = this.#keysOf(at)
      const theirs = [...other].filter((key) => !own.has(key))
      const ours = [...own].filter((key) => !other.has(key))
      return (
        theirs.length > 0 &&
        theirs.every((key) => claim.has(key)) &&
        !ours.some((key) => claim.has(key))
      )
    })
  }

  #keysOf(at: number): Set<string> {
    const tokens = this.#pieces[at]?.tokens ?? []
    return new Set(tokens.flatMap(({ light, key }) => (light ? [] : [key])))
  }

  #readRows(): readonly Row[] {
    if (this.#rows !== null) return this.#rows
    const rows: Row[] = []
    for (const [at, { kind, text }] of this.#pieces.entries()) {
      if (kind !== 'row' || rows.length >= MOST_ROWS) continue
      const cells = NAMED_ROW.test(text) ? readCells(text, this.#reading) : []
      const first = cells[0]?.value ?? this.#firstCell(at)
      rows.push({ at, cells, label: first.flatMap(({ light, key }) => (light ? [] : [key])) })
    }
    this.#rows = rows
    return rows
  }

  #firstCell(at: number): Token[] {
    const { text = '', kind } = this.#pieces[at] ?? {}
    const cell = kind === 'row' ? (text.replace(/^\s*\|/u, '').split('|', 1)[0] ?? '') : ''
    const value = NAMED_ROW.test(text) ? cell.replace(/^[^:：]{1,60}[:：]\s/u, '') : cell
    return readTokens(value, this.#reading)
  }
}

/**
 * Whether a claim about a row names one of its columns and has near the name what another row says there, and neither what this
 * one says there nor another cell of it that says the same.
 */
function contradicts({ cells }: Row, claim: readonly Token[], rows: readonly Row[]): boolean {
  return cells.slice(1).some(({ label, value }) => {
    const places = label.map((name) => claim.findIndex(({ key }) => key === name))
    if (places.includes(-1) || spanOf(value, claim) !== null) return false
    const isSaid = (there: readonly Token[]) => {
      const span = spanOf(there, claim)
      return span !== null && places.some((at) => at >= span.from - NEAR && at < span.to + NEAR)
    }
    const isOwn = (there: readonly Token[]) =>
      cells.some((cell) => spanOf(there, cell.value) && spanOf(cell.value, claim))
    return rows.some((row) => {
      const there = row.cells.find((cell) => sameKeys(cell.label, label))?.value ?? []
      const says = there.some(({ light }) => !light) && spanOf(there, value) === null
      return says && isSaid(there) && !isOwn(there)
    })
  })
}

interface Span {
  from: number
  to: number
}

/** Where some tokens stand in others, one after the other; null where they do not, or where there are none. */
function spanOf(wanted: readonly Token[], tokens: readonly Token[]): Span | null {
  const first = wanted[0]?.key
  if (first === undefined) return null
  for (let from = 0; from + wanted.length <= tokens.length; from++)
    if (tokens[from]?.key === first && wanted.every(({ key }, k) => tokens[from + k]?.key === key))
      return { from, to: from + wanted.length }
  return null
}

/** Whether one span is a part of the other, which is longer. */
const covers = (outer: Span, inner: Span): boolean =>
  outer.from <= inner.from && outer.to >= inner.to && outer.to - outer.from > inner.to - inner.from

const sameKeys = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((key, i) => key === other[i])
