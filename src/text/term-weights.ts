import type { IdfTable } from '../knowledge/types'
import { wordTokens } from './analyze'
import type { LatinMode } from './latin-language'

/** A text's tokens in the word index, in each mode asked for, computed once. */
export function tokensByMode(text: string): (mode: LatinMode) => Set<string> {
  const known = new Map<LatinMode, Set<string>>()
  return (mode) => {
    let tokens = known.get(mode)
    if (tokens === undefined) {
      tokens = new Set(wordTokens(text, mode))
      known.set(mode, tokens)
    }
    return tokens
  }
}

/** Weight of a token of the word index in its base. */
export function idfOf(idf: IdfTable, token: string): number {
  return Object.hasOwn(idf.common, token) ? (idf.common[token] ?? idf.rest) : idf.rest
}

/** One table for several bases: the mean weight of the tables; a token that a table lacks has its `rest` there. */
export function mergeIdf(tables: IdfTable[]): IdfTable {
  const [first] = tables
  if (first === undefined) return { common: {}, rest: 1 }
  if (tables.length === 1) return first
  const mean = (value: (table: IdfTable) => number) =>
    tables.reduce((sum, table) => sum + value(table), 0) / tables.length
  const common: Record<string, number> = {}
  for (const token of tables.flatMap((table) => Object.keys(table.common)))
    common[token] ??= mean((table) => idfOf(table, token))
  return { common, rest: mean((table) => table.rest) }
}

/** Share of the wanted tokens' weight that is found, 0 to 1; 0 when nothing is wanted. */
export function weightShare(
  wanted: Iterable<string>,
  found: ReadonlySet<string>,
  weigh: (token: string) => number,
): number {
  let all = 0
  let hit = 0
  for (const token of wanted) {
    const weight = weigh(token)
    all += weight
    if (found.has(token)) hit += weight
  }
  return all === 0 ? 0 : hit / all
}
