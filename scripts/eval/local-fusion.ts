/** A base's lists for a question in plain Node, so that any weights can be tried on them. */
import { ChunkStore } from '../../durable-objects/knowledge-base/chunk-store'
import { splitRow } from '../../durable-objects/knowledge-base/rows'
import { type Lists, rankLists, readLists } from '../../durable-objects/knowledge-base/search'
import { TermStatistics } from '../../durable-objects/knowledge-base/term-statistics'
import { VectorRows } from '../../durable-objects/knowledge-base/vector-rows'
import { VersionStore } from '../../durable-objects/knowledge-base/version-store'
import type { Weights } from '../../src/knowledge/fusion'
import { openLocalBase } from './local-turn'

export { fusionWeights } from '../../src/knowledge/fusion'

export interface Ranked {
  id: string
  score: number
  coverage?: number
}

export interface FusionBase {
  lists(query: string, vector: number[] | null): Lists
  /** Passages best first, each once. */
  rank(lists: Lists, weights: Weights): Ranked[]
  nearest(lists: Lists): Ranked[]
}

/** @param embed gives the vectors of texts. */
export async function openFusionBase(
  corpus: readonly { id: string; title?: string; text: string }[],
  embedder: string,
  embed: (texts: string[]) => Promise<number[][]>,
): Promise<FusionBase> {
  const base = await openLocalBase()
  const ids = new Map<string, string>()
  for (const [at, { id, title, text }] of corpus.entries()) {
    const chunks = await base.addText(`${title ?? `p${at}`}.txt`, text, 'txt')
    if (chunks > 0) ids.set(base.lastDocument(), id)
  }
  await base.embedAll(embedder, embed)
  const { sql } = base
  const tables = {
    sql,
    versions: new VersionStore(sql),
    chunks: new ChunkStore(sql),
    terms: new TermStatistics(sql),
    vectors: new VectorRows(sql),
  }
  const passages = (
    rows: readonly { row: number; score: number; coverage?: number }[],
  ): Ranked[] => {
    const versions = tables.versions.byIds(rows.map(({ row }) => splitRow(row).versionId))
    const best = new Map<string, Omit<Ranked, 'id'>>()
    for (const { row, score, coverage = 0 } of rows) {
      const id = ids.get(versions.get(splitRow(row).versionId)?.documentId ?? '')
      if (id !== undefined && !best.has(id)) best.set(id, { score, coverage })
    }
    return [...best].map(([id, rest]) => ({ id, ...rest }))
  }
  return {
    lists: (query, values) =>
      readLists(tables, query, values && { embedder, values, nearest: null }),
    rank: (lists, weights) => passages(rankLists(tables, lists, weights)),
    nearest: (lists) => passages(lists.nearest),
  }
}
