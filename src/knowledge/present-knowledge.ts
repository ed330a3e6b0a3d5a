import type { DocumentRow, KnowledgeBaseRow } from '../db/tables/knowledge'
import { isoOf } from '../time'
import { stateOfVectors } from './embed-version'
import type { SearchHit } from './types'

/** Counted over a base's documents. */
export interface BaseCounts {
  documents: number
  chunks: number
  working: number
  ready: number
  failed: number
  progress: number
}

export function presentBase(row: KnowledgeBaseRow, counts: BaseCounts) {
  return {
    id: row.id,
    name: row.name,
    instructions: row.instructions,
    document_count: counts.documents,
    chunk_count: counts.chunks,
    status: statusOf(counts),
    progress: counts.documents === 0 ? 0 : Math.round(counts.progress / counts.documents),
    embedding_model: row.embeddingModel,
    downloads: row.downloads,
    rerank: row.rerank,
    refresh: row.refresh,
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  }
}

function statusOf(counts: BaseCounts): 'empty' | 'processing' | 'ready' | 'failed' {
  if (counts.documents === 0) return 'empty'
  if (counts.working > 0) return 'processing'
  return counts.ready > 0 ? 'ready' : 'failed'
}

/** @param embedder this deployment's, null without one */
export function presentDocument(row: DocumentRow, baseName: string, embedder: string | null) {
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    mime: row.mime,
    size_bytes: row.sizeBytes,
    status: row.status,
    progress: row.progress,
    error: row.error,
    attempts: row.attempts,
    chunk_count: row.chunkCount,
    source_url: row.sourceUrl,
    gone_at: row.goneAt === null ? null : isoOf(row.goneAt),
    vectors: stateOfVectors(row, embedder),
    kb_name: baseName,
    space_id: null,
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  }
}

export function presentHit(hit: SearchHit) {
  return {
    document_id: hit.documentId,
    document_name: hit.documentName,
    chunk_id: hit.chunkId,
    text: hit.text,
    score: round(hit.score),
    distance: round(hit.distance),
    page: hit.page,
    heading: hit.heading,
    source_url: hit.url,
    start: hit.start,
    end: hit.end,
  }
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6

/** For the audit trail: what a base is, not what it holds. */
export const auditBase = (row: KnowledgeBaseRow) => ({
  id: row.id,
  name: row.name,
  instructions: row.instructions,
  downloads: row.downloads,
  rerank: row.rerank,
  refresh: row.refresh,
})

/** For the audit trail: of what was fetched no query, which may be the key to the page. */
export function auditDocument(row: DocumentRow) {
  return {
    id: row.id,
    path: auditPath(row),
    size_bytes: row.sizeBytes,
    version: row.version,
    source_url: row.sourceUrl && withoutQuery(row.sourceUrl),
  }
}

export const auditPath = ({ path, fetchedAt }: DocumentRow): string =>
  fetchedAt === null ? path : withoutQuery(path)

export const withoutQuery = (address: string): string => address.replace(/[?#].*/su, '')
