/**
 * Conditions as rows: `variable operator literal`, all or any of them. What is written otherwise stays text: the reading
 * is exact, so a condition that a person wrote by hand is never changed by looking at it.
 */

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'has' | 'lacks' | 'contains'
export type Literal = string | number | boolean
export type ValueType = 'string' | 'int' | 'double' | 'bool' | 'list'

export interface Row {
  /** `profile.size`, `node.visits` … */
  variable: string
  operator: Operator
  /** Null for `has` and `lacks`. */
  literal: Literal | null
}

export interface Rows {
  join: 'all' | 'any'
  rows: readonly Row[]
}

/** What conditions read beside the slots. */
export const VARIABLES: Readonly<Record<string, ValueType>> = {
  'node.turns': 'int',
  'node.visits': 'int',
  'node.attempts': 'int',
  'node.seconds': 'int',
  'turn.count': 'int',
  'turn.text': 'string',
  'turn.lang': 'string',
  'turn.images': 'int',
  'turn.audio': 'bool',
  'user.registered': 'bool',
  'user.lang': 'string',
  'user.city': 'string',
  'tool.ok': 'bool',
  'tool.status': 'int',
}

export function operatorsFor(variable: string, type: ValueType): readonly Operator[] {
  const known: readonly Operator[] = variable.startsWith('profile.') ? ['has', 'lacks'] : []
  if (type === 'bool') return ['==', ...known]
  if (type === 'list') return ['contains', ...known]
  if (type === 'string') return ['==', '!=', 'contains', ...known]
  return ['==', '!=', '<', '<=', '>', '>=', ...known]
}

const TOKEN =
  /\s*(?:(&&|\|\||==|!=|<=|>=|<|>|!|\(|\)|-|\bin\b)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(\d+\.\d+|\d+)|("(?:[^"\\\n]|\\.)*"))/y

type Token =
  | { kind: 'sign'; text: string }
  | { kind: 'name'; text: string }
  | { kind: 'value'; value: Literal }

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text)
    if (!found) return null
    const [, sign, name, digits, quoted] = found
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else if (name === 'true' || name === 'false')
      tokens.push({ kind: 'value', value: name === 'true' })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (digits !== undefined) tokens.push({ kind: 'value', value: Number(digits) })
    else {
      const value = unquoted(quoted ?? '')
      if (value === null) return null
      tokens.push({ kind: 'value', value })
    }
  }
  return tokens
}

/** Escapes that JSON does not know are left to the text. */
function unquoted(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return null
  }
}

/** @returns the rows, or null for what only text can say. An empty text has no rows. */
export function readRows(text: string): Rows | null {
  if (text.trim() === '') return { join: 'all', rows: [] }
  const tokens = tokensOf(text)
  if (!tokens) return null
  const joins = new Set<string>()
  const rows: Row[] = []
  let rest = tokens
  for (;;) {
    const read = readRow(rest)
    if (!read) return null
    rows.push(read.row)
    const [join, ...after] = read.rest
    if (!join) break
    if (join.kind !== 'sign' || (join.text !== '&&' && join.text !== '||')) return null
    joins.add(join.text)
    rest = after
  }
  if (joins.size > 1) return null
  return { join: joins.has('||') ? 'any' : 'all', rows }
}

function readRow(tokens: readonly Token[]): { row: Row; rest: Token[] } | null {
  const [first, second, third, fourth, fifth] = tokens
  const is = (token: Token | undefined, text: string) =>
    token?.kind === 'sign' && token.text === text
  const after = (n: number) => tokens.slice(n)
  if (is(first, '!')) {
    const inner = readRow(after(1))
    if (!inner) return null
    if (inner.row.operator === 'has')
      return { row: { ...inner.row, operator: 'lacks' }, rest: inner.rest }
    const bare = second?.kind === 'name' && inner.rest.length === tokens.length - 2
    if (!bare) return null
    return { row: { ...inner.row, literal: false }, rest: inner.rest }
  }
  if (first?.kind === 'value' && is(second, 'in') && third?.kind === 'name') {
    if (!isVariable(third.text)) return null
    const row: Row = { variable: third.text, operator: 'contains', literal: first.value }
    return typeof first.value === 'string' ? { row, rest: after(3) } : null
  }
  if (first?.kind !== 'name') return null
  if (first.text === 'has') {
    if (!is(second, '(') || third?.kind !== 'name' || !is(fourth, ')')) return null
    if (!isVariable(third.text)) return null
    return { row: { variable: third.text, operator: 'has', literal: null }, rest: after(4) }
  }
  const method = /^(.+)\.contains$/.exec(first.text)
  if (method?.[1] !== undefined && is(second, '(')) {
    if (third?.kind !== 'value' || typeof third.value !== 'string' || !is(fourth, ')')) return null
    if (!isVariable(method[1])) return null
    const row: Row = { variable: method[1], operator: 'contains', literal: third.value }
    return { row, rest: after(4) }
  }
  if (!isVariable(first.text)) return null
  const variable = first.text
  if (second?.kind === 'sign' && ['==', '!=', '<', '<=', '>', '>='].includes(second.text)) {
    const operator = second.text as Operator
    if (is(third, '-') && fourth?.kind === 'value' && typeof fourth.value === 'number')
      return { row: { variable, operator, literal: -fourth.value }, rest: after(4) }
    if (third?.kind !== 'value' || is(fourth, '(') || is(fifth, 'in')) return null
    return { row: { variable, operator, literal: third.value }, rest: after(3) }
  }
  return { row: { variable, operator: '==', literal: true }, rest: after(1) }
}

const isVariable = (name: string): boolean =>
  /^profile\.[a-z][a-z0-9_]{0,47}$/.test(name) || Object.hasOwn(VARIABLES, name)

/** @param typeOf of a variable: a whole number is written with a point where the slot holds fractions. */
export function writeRows({ join, rows }: Rows, typeOf: (variable: string) => ValueType): string {
  return rows
    .map((row) => writeRow(row, typeOf(row.variable)))
    .join(join === 'all' ? ' && ' : ' || ')
}

function writeRow({ variable, operator, literal }: Row, type: ValueType): string {
  if (operator === 'has') return `has(${variable})`
  if (operator === 'lacks') return `!has(${variable})`
  if (operator === 'contains') {
    const text = JSON.stringify(String(literal ?? ''))
    return type === 'list' ? `${text} in ${variable}` : `${variable}.contains(${text})`
  }
  return `${variable} ${operator} ${writeLiteral(literal, type)}`
}

function writeLiteral(literal: Literal | null, type: ValueType): string {
  if (type === 'bool') return String(literal === true || literal === 'true')
  if (type === 'int') return String(Math.trunc(Number(literal)) || 0)
  if (type === 'double') {
    const value = Number(literal) || 0
    return Number.isInteger(value) ? value.toFixed(1) : String(value)
  }
  return JSON.stringify(String(literal ?? ''))
}
