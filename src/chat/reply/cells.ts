import type { UnitName } from '../../language/pack'
import { contradictsUnit, type Figure, sameFigure, sameUnit, unitKind } from './figures'
import type { Lexicon } from './lexicon'
import { type Reading, readTokens, type Token } from './tokens'

/** A cell of a row that names its columns: "Price: 5". */
export interface Cell {
  /** Keys of the column's name. */
  label: readonly string[]
  value: readonly Token[]
  /** Whether a sign alone says yes or no there; null where something else stands. */
  mark: boolean | null
}

const CELL = /^\s*([^:：]{1,60}):\s(.*)$/su

const YES = /^[✓✔☑✅]\ufe0f?\s*$/u
const NO = /^[✗✘☒❌×–—-]\ufe0f?\s*$/u
const NAMED_UNIT = /[(（,，]\s*([^\s()（）,，][^()（）,，]{0,11})[)）]?\s*$/u

/** The cells of a row as `formatRows` writes it; none where a column has no name. */
export function readCells(row: string, reading: Reading): Cell[] {
  return row.split(' | ').flatMap((part) => {
    const [, label = '', value = ''] = CELL.exec(part) ?? []
    const keys = readTokens(label, reading).flatMap(({ light, key }) => (light ? [] : [key]))
    if (keys.length === 0) return []
    const unit = unitOf(label, reading)
    const tokens = readTokens(value, reading).map((token) => inUnit(token, unit))
    const mark = YES.test(value) || (NO.test(value) ? false : null)
    return [{ label: keys, value: tokens, mark }]
  })
}

/** The unit that a column's name gives for all of its figures: "Price (€)", "Weight, kg". Its days may be working days, shortened. */
function unitOf(label: string, reading: Reading): UnitName | null {
  const [, sign] = NAMED_UNIT.exec(label) ?? []
  if (sign === undefined) return null
  const said = readTokens(`1 ${sign}, ${sign}1`, reading)
  const unit = said.find(({ figure }) => figure?.unit)?.figure?.unit ?? null
  return unit === 'day' ? null : unit
}

const inUnit = (token: Token, unit: UnitName | null): Token =>
  unit === null || token.figure === null || token.figure.unit !== null
    ? token
    : { ...token, figure: { ...token.figure, unit } }

/**
 * Whether each figure of a claim is the value of the column that it names. One beside the name of another column is wrong, and
 * open where its own is named too. Null where a figure is in no cell: the row does not decide.
 */
export function judgeCells(
  tokens: readonly Token[],
  cells: readonly Cell[],
  lexicon: Lexicon | null,
): 'stands' | 'falls' | 'open' | null {
  let open = false
  for (const [i, token] of tokens.entries()) {
    const { figure } = token
    if (figure === null) continue
    const own = cells.filter(({ value }) =>
      value.some((one) => one.figure !== null && isSaid(figure, one.figure)),
    )
    if (own.length === 0 && isOfLabel(token, tokens, cells)) continue
    if (own.length === 0) return isInOtherUnit(figure, cells) ? 'falls' : null
    const others = cells
      .slice(1)
      .filter((cell) => !own.includes(cell) && mayHold(cell, figure, lexicon))
    const near = Math.min(...own.map((cell) => distanceTo(cell, i, tokens)))
    const nearest = Math.min(
      Number.POSITIVE_INFINITY,
      ...others.map((cell) => distanceTo(cell, i, tokens)),
    )
    if (nearest >= near) continue
    const isNamed = near < Number.POSITIVE_INFINITY || own[0] === cells[0]
    if (!isNamed && others.some((cell) => isMissed(cell, i, tokens))) return 'falls'
    if (nearest <= APART && near > nearest + CLEARLY) return 'falls'
    open = true
  }
  return open ? 'open' : 'stands'
}

/** Whether a claim names a column without its value: what it says instead, of a column that it does not name, is not the value. */
function isMissed(cell: Cell, from: number, tokens: readonly Token[]): boolean {
  const says = (one: Token) =>
    tokens.some(({ key, figure }) =>
      one.figure && figure ? sameFigure(figure, one.figure) : key === one.key,
    )
  const isNamed = distanceTo(cell, from, tokens) < Number.POSITIVE_INFINITY
  return isNamed && cell.value.length > 0 && !cell.value.some(says)
}

/** What may be an hour has its unit all the same: "€11.00". */
const isSaid = (figure: Figure, there: Figure): boolean =>
  sameFigure(figure, there) && !contradictsUnit(figure, there)

/** "E7" of the column "Bicycle E7". */
const isOfLabel = ({ key }: Token, tokens: readonly Token[], cells: readonly Cell[]): boolean =>
  cells.some(
    ({ label }) =>
      label.includes(key) && label.every((name) => tokens.some((token) => token.key === name)),
  )

const isInOtherUnit = (figure: Figure, cells: readonly Cell[]): boolean =>
  cells.some(({ value }) =>
    value.some((one) => one.figure !== null && contradictsUnit(figure, one.figure)),
  )

/** Whether a sign says no under each column that a claim names and that has one. */
export function isMarkedNo(tokens: readonly Token[], cells: readonly Cell[]): boolean {
  const keys = new Set(tokens.map(({ key }) => key))
  const named = cells.filter(
    ({ label, mark }) => mark !== null && label.every((name) => keys.has(name)),
  )
  return named.length > 0 && named.every(({ mark }) => mark === false)
}

/** Whether a figure could be a column's: no price is among what counts users, and none where a yes or no stands. */
function mayHold({ value }: Cell, figure: Figure, lexicon: Lexicon | null): boolean {
  const [first] = value
  const word = value.length === 1 ? (first?.word ?? '') : ''
  if (lexicon?.yes.has(word) === true || lexicon?.no.has(word) === true) return false
  const theirs = value.flatMap((one) => one.figure ?? [])
  return theirs.length === 0 || theirs.some((there) => isOfKind(figure.unit, there.unit))
}

const isOfKind = (one: UnitName | null, other: UnitName | null): boolean =>
  sameUnit(one, other) ||
  (one !== null && other !== null && unitKind(one) !== null && unitKind(one) === unitKind(other))

/** What lies between a figure and another figure's column, or in another clause, is farther than any word. */
const APART = 4
const CLEARLY = 2
/** Letters of a column's name that its verb begins with. */
const LEAST_START = 4

/**
 * How far from a token a column is named whole; Arabic writes "and" as a letter before it. A colon ends a clause, but not between
 * the name right before a figure and the figure ("places: 12").
 */
function distanceTo({ label }: Cell, from: number, tokens: readonly Token[]): number {
  const places = label.map((name) => {
    let best = Number.POSITIVE_INFINITY
    for (const [at, { key, clause }] of tokens.entries()) {
      if (key !== name && !isPart(key, name)) continue
      const isLabel = at < from && at >= from - label.length
      const crosses = clause !== tokens[from]?.clause && !isLabel
      const apart = figuresBetween(at, from, tokens) + (crosses ? 1 : 0)
      best = Math.min(best, Math.abs(at - from) + APART * apart)
    }
    return best
  })
  return Math.max(...places)
}

/** "Вылетает" of the column "Вылет", "والسعر" of "السعر". */
const isPart = (key: string, name: string) =>
  (key.length === name.length + 1 && key.endsWith(name)) ||
  (name.length >= LEAST_START && key.startsWith(name))

const figuresBetween = (one: number, other: number, tokens: readonly Token[]): number =>
  tokens
    .slice(Math.min(one, other) + 1, Math.max(one, other))
    .filter(({ figure }) => figure !== null).length
