import { INGEST } from '../../src/config/limits'
import type { Vector } from '../../src/knowledge/quantize'
import type { Chunk } from '../../src/knowledge/types'
import { isAwaited } from '../../src/platform/give-way'
import { chunkRow, type VersionRow } from './rows'
import { type PreparedChunk, type StageResult, stageChunks } from './stage-chunks'
import type { Tables } from './tables'
import type { VersionRemoval } from './version-removal'

/** A small document whole: all its chunks, so that it needs no staging. */
export interface WholeDocument {
  documentId: string
  version: string
  edition: number
  name: string
  title: string
  /** What is searched with every chunk. */
  searchedTitle: string
  url: string | null
  chunks: Chunk[]
  /** One a chunk, null where there are none (yet). */
  vectors: Vector[] | null
}

/** Why a document was not taken; null where it was. */
export type Refusal = Extract<StageResult, { ok: false }>['reason'] | 'superseded' | null

/**
 * Makes a version the visible one of its document with its first `total` chunks, and removes every earlier one. The caller
 * opens the transaction and refreshes the statistics.
 * @returns false when a later edition is visible already: then this version is removed instead
 */
export function publishVersion(
  { versions }: Tables,
  removal: VersionRemoval,
  version: VersionRow,
  {
    documentId,
    edition,
    name,
    title,
    url,
  }: Pick<WholeDocument, 'documentId' | 'edition' | 'name' | 'title' | 'url'>,
  total: number,
): boolean {
  const others = versions.listOf(documentId).filter(({ id }) => id !== version.id)
  if (others.some((other) => other.live && other.edition > edition)) {
    removal.remove(version)
    return false
  }
  for (const other of others) {
    const isEarlier = other.id < version.id
    if (other.edition < edition || (other.edition === edition && isEarlier)) removal.remove(other)
  }
  removal.removeAfter(version, total)
  versions.publish(version.id, name, title, url, total)
  return true
}

/**
 * Stages and publishes one document and stores its vectors. Safe to repeat. The caller opens the transaction.
 * @param prepared its chunks
 * @param prefix what the ids of its chunks begin with
 * @returns why it was refused, or null; and the rows whose vectors of `embedder` were written
 */
export function takeDocument(
  tables: Tables,
  removal: VersionRemoval,
  document: WholeDocument,
  prepared: readonly PreparedChunk[],
  prefix: string,
  embedder: string | null,
): { refusal: Refusal; rows: number[] } {
  const { versions, vectors } = tables
  const { documentId, chunks } = document
  // Also where it has no chunk: the version's row is what refuses an earlier edition that arrives later.
  const version = versions.open(documentId, document.version, document.edition, prefix)
  const staged = stageChunks(tables, version, prepared, embedder)
  if (!staged.ok) {
    if (!version.live) removal.remove(version)
    return { refusal: staged.reason, rows: [] }
  }
  // Read again: staging changed its number of chunks.
  const whole = versions.find(documentId, document.version) ?? version
  if (!publishVersion(tables, removal, whole, document, chunks.length)) {
    return { refusal: 'superseded', rows: [] }
  }
  const given = document.vectors
  if (embedder === null || given === null) return { refusal: null, rows: [] }
  const items = chunks.map(({ n }, i) => ({ row: chunkRow(version.id, n), vector: given[i] ?? [] }))
  vectors.put(embedder, items)
  return { refusal: null, rows: items.map(({ row }) => row) }
}

/** Cuts a list of documents into portions, each of about as many chunks as one transaction should write. */
export function inPortions(documents: readonly WholeDocument[]): WholeDocument[][] {
  const portions: WholeDocument[][] = []
  let room = 0
  for (const document of documents) {
    const portion = portions.at(-1)
    const count = document.chunks.length
    if (portion && count <= room) {
      portion.push(document)
      room -= count
    } else {
      portions.push([document])
      room = (isAwaited() ? INGEST.chunkBatchBeside : INGEST.chunkBatch) - count
    }
  }
  return portions
}
