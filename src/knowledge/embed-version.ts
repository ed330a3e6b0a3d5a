import { and, eq, ne } from 'drizzle-orm'
import { HOUR_MS, INGEST } from '../config/limits'
import type { Db } from '../db/client'
import { type DocumentRow, documents, knowledgeBases } from '../db/tables/knowledge'
import { tenants } from '../db/tables/tenants'
import { createLog } from '../log'
import { embedderName } from '../models/embedding'
import { knowledgeBase } from '../platform/stubs'
import { embedMetered } from './embed-metered'

/** The columns of a document whose text has no vectors yet. */
export const NO_VECTORS = {
  embedder: null,
  embedded: 0,
  vectors: 'none',
  embedAfter: 0,
} as const satisfies Partial<DocumentRow>

/** Whether a document has vectors of this embedder (null: the built-in statistics), so that it can be found by meaning. */
export function stateOfVectors(row: DocumentRow, embedder: string | null): DocumentRow['vectors'] {
  if (row.liveVersion === null) return 'none'
  // Without a trained embedder the statistical vectors count, which are stored together with the text.
  if (embedder === null) return 'confirmed'
  if (row.embedder !== embedder) return 'none'
  return row.vectors === 'none' && row.embedded > 0 ? 'pending' : row.vectors
}

/** A document with a searched version, as one attempt works on it. */
interface Work {
  env: Env
  db: Db
  row: DocumentRow
}

/**
 * Gives the chunks of a document's searched version the vectors of this deployment's embedder, beginning with the first
 * chunk that has none. Progress is written after each call, so an attempt that was cut off goes on there; until the end
 * the document is found by its words.
 * @param onBatch is told the share that is done, 0 to 1
 * @returns `more` when a long text needs a further job; `over` when all is done, or nothing can be done now
 */
export async function embedVersion(
  work: Work,
  onBatch: (share: number) => Promise<void> = async () => {},
): Promise<'more' | 'over'> {
  const { env, row } = work
  const embedder = embedderName(env)
  const version = row.liveVersion
  if (embedder === null || version === null) return 'over'
  if (row.embedder !== embedder) {
    if (!(await note(work, { ...NO_VECTORS, embedder }))) return 'over'
  }
  const ceiling = await readCeiling(work.db, row.tenantId)
  const base = knowledgeBase(env, row.tenantId, row.baseId)
  const document = { tenantId: row.tenantId, documentId: row.id }
  for (let step = 0; step < INGEST.embedSteps; step++) {
    const { chunks } = await base.listChunks({
      ...document,
      after: row.embedded - 1,
      limit: INGEST.embedBatch,
    })
    const last = chunks.at(-1)
    if (!last) return finish(work, embedder)
    const vectors = await embedTexts(
      work,
      embedder,
      chunks.map((chunk) => chunk.text),
      ceiling,
    )
    if (vectors === null) return 'over'
    const { stored } = await base.putVectors({
      ...document,
      version,
      embedder,
      // As bytes: a list of numbers takes ten times as long to cross.
      items: chunks.map(({ n }, i) => ({ n, vector: new Float32Array(vectors[i] ?? []) })),
    })
    // Replaced or deleted meanwhile.
    if (stored === 0) return 'over'
    if (!(await note(work, { embedded: last.n + 1 }))) return 'over'
    if (chunks.length < INGEST.embedBatch) return finish(work, embedder)
    await onBatch(row.embedded / Math.max(row.chunkCount, 1))
  }
  return 'more'
}

/** Null when there is no quota. */
async function embedTexts(
  work: Work,
  embedder: string,
  texts: string[],
  ceiling: number | null,
): Promise<number[][] | null> {
  const { env, row } = work
  const id = `${row.id}:${row.liveVersion}:${embedder}:${row.embedded}`
  const embedded = await embedMetered(env, row.tenantId, id, texts, ceiling)
  if (embedded.ok) return embedded.vectors
  if (embedded.reason !== null) await skip(work, embedded.reason)
  return null
}

/** No quota: asked again in an hour. */
async function skip(work: Work, reason: string): Promise<void> {
  createLog('embed').warn('embedding_skipped', { document_id: work.row.id, reason })
  await note(work, {}, HOUR_MS)
}

async function finish(work: Work, embedder: string): Promise<'over'> {
  const { db, row } = work
  await note(work, { vectors: 'confirmed' })
  await nameEmbedder(db, row.baseId, embedder)
  return 'over'
}

/** The statement that notes with which embedder a base was filled last. */
export const nameEmbedder = (db: Db, baseId: string, embedder: string) =>
  db
    .update(knowledgeBases)
    .set({ embeddingModel: embedder })
    .where(and(eq(knowledgeBases.id, baseId), ne(knowledgeBases.embeddingModel, embedder)))

/** @returns false when the version is no longer the searched one: then nothing was written. */
async function note(
  { db, row }: Work,
  change: Partial<DocumentRow>,
  pauseMs: number = INGEST.stallMs,
): Promise<boolean> {
  const set = { ...change, embedAfter: Date.now() + pauseMs }
  const written = await db
    .update(documents)
    .set(set)
    .where(
      and(
        eq(documents.tenantId, row.tenantId),
        eq(documents.id, row.id),
        eq(documents.liveVersion, row.liveVersion ?? ''),
      ),
    )
    .returning({ id: documents.id })
  Object.assign(row, set)
  return written.length > 0
}

/** Tokens that a tenant may use in a month, null without a ceiling. */
export async function readCeiling(db: Db, tenantId: string): Promise<number | null> {
  const rows = await db
    .select({ ceiling: tenants.monthlyTokenCeiling })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
    .limit(1)
  return rows[0]?.ceiling ?? null
}
