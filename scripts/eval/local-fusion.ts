/** A base's lists for a question in plain Node, so that any weights can be tried on them. */
import { ChunkStore } from '../../durable-objects/knowledge-base/chunk-store'
import { MetaStore } from '../../durable-objects/knowledge-base/meta-store'
import { splitRow } from '../../durable-objects/knowledge-base/rows'
import {
  type Lists,
  rankLists,
  readLists,
  weigh,
} from '../../durable-objects/knowledge-base/search'
import { openScores } from '../../durable-objects/knowledge-base/term-scores'
import { TermStatistics } from '../../durable-objects/knowledge-base/term-statistics'
import { VectorRows } from '../../durable-objects/knowledge-base/vector-rows'
import { VersionStore } from '../../durable-objects/knowledge-base/version-store'
import { openLocalBase } from './local-turn'

export interface Ranked {
  id: string
  score: number
}

export interface FusionBase {
  lists(query: string, vector: number[] | null): Lists
  /** Passages best first, each once, by the product's weights or by this share of the vectors. */
  rank(lists: Lists, share?: number): Ranked[]
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
  const chunks = new ChunkStore(sql)
  const tables = {
    sql,
    versions: new VersionStore(sql),
    chunks,
    terms: new TermStatistics(sql, new MetaStore(sql)),
    scores: openScores(sql, chunks),
    vectors: new VectorRows(sql),
  }
  const passages = (
    rows: readonly { row: number; score: number; coverage?: number }[],
  ): Ranked[] => {
    const versions = tables.versions.byIds(rows.map(({ row }) => splitRow(row).versionId))
    const best = new Map<string, number>()
    for (const { row, score } of rows) {
      const id = ids.get(versions.get(splitRow(row).versionId)?.documentId ?? '')
      if (id !== undefined && !best.has(id)) best.set(id, score)
    }
    return [...best].map(([id, score]) => ({ id, score }))
  }
  return {
    lists: (query, values) =>
      readLists(tables, query, values && { embedder, values, nearest: null }),
    rank: (lists, share) => {
      const weights =
        share === undefined
          ? weigh(tables, lists)
          : { words: (1 - share) / 2, letters: (1 - share) / 2, vector: share }
      return passages(rankLists(tables, lists, weights))
    },
    nearest: (lists) => passages(lists.nearest),
  }
}
