import { chunkId } from '../../src/knowledge/chunk-id'
import type { SearchHit, SearchResult } from '../../src/knowledge/types'
import { type ChunkRow, splitRow, type VersionRow } from './rows'
import type { RankedRow, Tables } from './search'

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
    page: row.page,
    text: row.text,
    start: row.start,
    end: row.end,
  }
}

/** Ranked rows with their texts; `started` is when the search began. */
export function presentResult(
  { chunks, terms }: Tables,
  ranked: readonly RankedRow[],
  embedder: string | null,
  started: number,
): SearchResult {
  const stored = new Map(chunks.readRows(ranked.map((one) => one.row)).map((row) => [row.id, row]))
  const hits: SearchHit[] = []
  let coverage = 0
  let cosine: number | null = null
  for (const one of ranked) {
    const row = stored.get(one.row)
    const version = chunks.versions().get(splitRow(one.row).versionId)
    if (!row || !version) continue
    coverage = Math.max(coverage, one.coverage)
    if (one.cosine !== null) cosine = Math.max(cosine ?? -1, one.cosine)
    const { n: _, ...chunk } = presentChunk(version, row)
    const distance = 1 - (one.cosine ?? one.coverage)
    hits.push({ ...chunk, score: one.score, distance, coverage: one.coverage })
  }
  return { hits, idf: terms.idf(), coverage, cosine, embedder, tookMs: Date.now() - started }
}
