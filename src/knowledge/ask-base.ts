import { knowledgeBase } from '../platform/stubs'
import type { IdfTable, SearchResult } from './types'

/** Tables of so many bases are kept in an isolate, the ones that were asked last. Each has 400 words at most. */
const MOST_TABLES = 40

interface KnownTable {
  edition: string
  idf: IdfTable
}

const known = new Map<string, KnownTable>()

/** The best passages of a base. The weights of its words come along only where they are not the ones that came the last time. */
export async function askBase(
  env: Env,
  tenantId: string,
  baseId: string,
  question: { query: string; k: number; vector?: { embedder: string; values: number[] } },
): Promise<SearchResult> {
  const table = known.get(baseId)
  const { edition, idf, ...found } = await knowledgeBase(env, tenantId, baseId).search({
    tenantId,
    ...question,
    ...(table ? { knownIdf: table.edition } : {}),
  })
  const current = idf ? { edition, idf } : table
  if (!current) throw new Error('a base left out what nobody has')
  keep(baseId, current)
  return { ...found, idf: current.idf }
}

function keep(baseId: string, table: KnownTable): void {
  known.delete(baseId)
  known.set(baseId, table)
  const [oldest] = known.keys()
  if (known.size > MOST_TABLES && oldest !== undefined) known.delete(oldest)
}
