import { INGEST, KNOWLEDGE, LIMITS } from '../../src/config/limits'
import { type PreparedPassage, preparePassage } from '../../src/knowledge/prepare-passage'
import type { Chunk } from '../../src/knowledge/types'
import { giveWay, isAwaited, letIn } from '../../src/platform/give-way'
import type { LatinMode } from '../../src/text/latin-language'
import { embedRuns, OFFLINE_EMBEDDER } from '../../src/text/statistical-vectors'
import { CHUNKS_PER_VERSION, chunkRow, type VersionRow } from './rows'
import type { Tables } from './tables'

/** A chunk with its entries for the indexes. */
export interface PreparedChunk {
  chunk: Chunk
  passage: PreparedPassage
}

/** How many chunks one transaction may write: fewer while somebody waits for this isolate. */
export const portionSize = (): number =>
  isAwaited() ? INGEST.chunkBatchBeside : INGEST.chunkBatchAlone

/** Cutting and folding chunks is most of the work of staging: it is done outside of the transaction, with pauses for searches. */
export async function prepareChunks(
  title: string,
  chunks: readonly Chunk[],
): Promise<PreparedChunk[]> {
  const prepared: PreparedChunk[] = []
  for (const [i, chunk] of chunks.entries()) {
    await betweenChunks(i)
    prepared.push({ chunk, passage: preparePassage(title, chunk) })
  }
  return prepared
}

/** Prepares the chunks from `from` on that one transaction will write; fewer when a search comes in between. */
export async function preparePortion(
  title: string,
  chunks: readonly Chunk[],
  from: number,
): Promise<PreparedChunk[]> {
  const prepared: PreparedChunk[] = []
  for (const [i, chunk] of chunks.slice(from).entries()) {
    await betweenChunks(i)
    if (i >= portionSize()) break
    prepared.push({ chunk, passage: preparePassage(title, chunk) })
  }
  return prepared
}

/** A search that has just arrived is not seen until the event loop runs, so it gets a turn now and then even when nobody waits. */
async function betweenChunks(i: number): Promise<void> {
  if (i % INGEST.preparedBeside === 0) await giveWay()
  if (i > 0 && i % INGEST.preparedAlone === 0) await letIn()
}

export type StageResult =
  | { ok: true; staged: number }
  | { ok: false; reason: 'base_full' | 'chunk_too_large' }

/**
 * Writes chunks of a version with their index entries, and with statistical vectors where there is no embedder that gives
 * them others. A chunk that is there with the same text and preparation stays; one that differs (the same file read anew
 * by a newer release) is replaced. The caller opens the transaction.
 */
export function stageChunks(
  tables: Tables,
  version: VersionRow,
  prepared: readonly PreparedChunk[],
  embedder: string | null,
): StageResult {
  const { chunks: store, versions } = tables
  const chunks = prepared.map(({ chunk }) => chunk)
  const rows = chunks.map((chunk) => chunkRow(version.id, chunk.n))
  const known = store.read(rows)
  const sketches = store.readSketches([...known.keys()])
  const replaced = versions.findLive(version.documentId)
  const others = versions.size() - (replaced && replaced.id !== version.id ? replaced.chunks : 0)
  if (others + chunks.length - known.size > LIMITS.chunksPerBase) return refuse('base_full')
  if (chunks.some((chunk) => chunk.n >= CHUNKS_PER_VERSION)) return refuse('base_full')
  if (chunks.some((chunk) => chunk.text.length > KNOWLEDGE.chunkLength)) {
    return refuse('chunk_too_large')
  }
  const added = new Map<LatinMode, number>()
  const vectors: { row: number; vector: number[] }[] = []
  for (const { chunk, passage } of prepared) {
    const row = chunkRow(version.id, chunk.n)
    const before = known.get(row)
    if (before?.text === chunk.text && isSame(sketches.get(row), passage)) continue
    if (before) store.remove(row, row)
    else added.set(passage.mode, (added.get(passage.mode) ?? 0) + 1)
    store.add(row, chunk, passage)
    if (embedder === null) vectors.push({ row, vector: embedRuns(passage.runs) })
  }
  if (vectors.length > 0) tables.vectors.put(OFFLINE_EMBEDDER, vectors)
  return { ok: true, staged: versions.grow(version.id, added) }
}

function refuse(reason: 'base_full' | 'chunk_too_large'): StageResult {
  return { ok: false, reason }
}

function isSame(stored: ArrayBuffer | undefined, passage: PreparedPassage): boolean {
  if (stored?.byteLength !== passage.sketch.byteLength) return false
  return new Uint8Array(stored).every((byte, i) => byte === passage.sketch[i])
}
