import { chunkId } from '../../src/knowledge/chunk-id'
import type { FoundPassages, PassageInContext, SearchHit } from '../../src/knowledge/types'
import type { ChunkStore } from './chunk-store'
import { type ChunkRow, splitRow, type VersionRow } from './rows'
import type { RankedRow } from './search'
import type { Tables } from './tables'

/** A stored chunk with its document, as search, citation checks and listings see it. */
export type StoredChunk = Omit<SearchHit, 'score' | 'distance' | 'coverage'> & { n: number }

export function presentChunk(version: VersionRow, row: ChunkRow): StoredChunk {
  const { n } = splitRow(row.id)
  return {
    n,
    documentId: version.documentId,
    documentName: version.name,
    chunkId: chunkId(version.idPrefix, n),
    title: version.title || version.name,
    url: version.url,
    heading: row.heading,
    phrasings: row.phrasings,
    page: row.page,
    text: row.text,
    start: row.start,
    end: row.end,
  }
}

/** A version's chunk `n` with its neighbours; null when there is no such chunk. */
export function readInContext(
  chunks: ChunkStore,
  version: VersionRow,
  n: number,
): PassageInContext | null {
  const around = new Map(
    chunks.list(version.id, n - 2, 3).map((row) => {
      const { n: at, chunkId: id, heading, page, text, start, end } = presentChunk(version, row)
      return [at, { chunkId: id, heading, page, text, start, end }]
    }),
  )
  const passage = around.get(n)
  const [previous = null, next = null] = [around.get(n - 1), around.get(n + 1)]
  const title = version.title || version.name
  return passage ? { version: version.version, title, passage, previous, next } : null
}

/** Visible chunks of these rows, in their order; rows that are gone are left out. */
export function readChunks(
  { chunks, versions }: Pick<Tables, 'chunks' | 'versions'>,
  rows: readonly number[],
): (StoredChunk & { row: number })[] {
  const stored = chunks.read(rows)
  const documents = versions.byIds([...new Set(rows.map((row) => splitRow(row).versionId))])
  return rows.flatMap((row) => {
    const chunk = stored.get(row)
    const version = documents.get(splitRow(row).versionId)
    return chunk && version?.live ? [{ row, ...presentChunk(version, chunk) }] : []
  })
}

/** Ranked rows with their texts. @param knownIdf what the caller has of the words' weights */
export function presentResult(
  tables: Tables,
  ranked: readonly RankedRow[],
  embedder: string | null,
  knownIdf: string | undefined,
): FoundPassages {
  const byRow = new Map(ranked.map((one) => [one.row, one]))
  const hits: SearchHit[] = []
  let coverage = 0
  let cosine: number | null = null
  for (const { row, n: _, ...chunk } of readChunks(tables, [...byRow.keys()])) {
    const one = byRow.get(row)
    if (!one) continue
    coverage = Math.max(coverage, one.coverage)
    if (one.cosine !== null) cosine = Math.max(cosine ?? -1, one.cosine)
    const distance = 1 - (one.cosine ?? one.coverage)
    hits.push({ ...chunk, score: one.score, distance, coverage: one.coverage })
  }
  const { idf: table, edition } = tables.terms.idf()
  const idf = edition === knownIdf ? null : table
  return { hits, idf, edition, coverage, cosine, embedder }
}
