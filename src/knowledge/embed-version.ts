import { and, eq, ne } from 'drizzle-orm'
import { HOUR_MS, INGEST, MINUTE_MS } from '../config/limits'
import type { Db } from '../db/client'
import { type DocumentRow, documents, knowledgeBases, tenants } from '../db/tables'
import { createLog } from '../log'
import { embed, embedderName } from '../models/embedding'
import { estimateTokens } from '../models/tokens'
import { knowledgeBase, tenantMeter } from '../platform/stubs'

/** What is known of a text's vectors before any were made. */
export const NO_VECTORS = {
  embedder: null,
  embedded: 0,
  vectors: 'none',
  embedAfter: 0,
} as const satisfies Partial<DocumentRow>

/** Whether a document's passages can be found by the meaning of a question asked with this embedder. */
export function stateOfVectors(row: DocumentRow, embedder: string | null): DocumentRow['vectors'] {
  if (row.liveVersion === null) return 'none'
  // The base's own statistics are stored with the text.
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
 * Gives the chunks of a document's searched version the vectors of this deployment's embedder, from the first that has
 * none on. What is done is noted after each call, so an attempt that is cut off anywhere is taken up there; until the end
 * the document is found by its words.
 * @param onBatch hears of the share that is done
 * @returns `more` when this attempt did its part of a long text; `over` when all is done, or nothing can be done now
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
  const ceiling = await readCeiling(work)
  const base = knowledgeBase(env, row.tenantId, row.baseId)
  const document = { tenantId: row.tenantId, documentId: row.id }
  for (let step = 0; step < INGEST.embedSteps; step++) {
    const { chunks } = await base.listChunks({
      ...document,
      after: row.embedded - 1,
      limit: INGEST.chunkBatch,
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
      items: chunks.map(({ n }, i) => ({ n, vector: vectors[i] ?? [] })),
    })
    // Replaced or deleted meanwhile.
    if (stored === 0) return 'over'
    if (!(await note(work, { embedded: last.n + 1 }))) return 'over'
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
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
  const id = `${row.id}:${row.liveVersion}:${embedder}:${row.embedded}`
  const meter = tenantMeter(env, row.tenantId)
  const admitted = await meter.admit({
    id,
    keyId: null,
    windows: [],
    tokens,
    ceiling,
    expiresAt: Date.now() + 10 * MINUTE_MS,
  })
  if (!admitted.ok) {
    await skip(work, admitted.reason)
    return null
  }
  const embedded = await embed(texts, env)
  if (!embedded) return null
  await meter.settle(row.tenantId, id, [
    {
      agentId: '',
      userId: '',
      spaceId: '',
      model: embedder,
      kind: 'embedding',
      requests: 1,
      inputTokens: embedded.tokens,
      outputTokens: 0,
      cachedTokens: 0,
      estimatedTokens: embedded.estimated ? embedded.tokens : 0,
      events: texts.length,
    },
  ])
  return embedded.vectors
}

/** No quota: asked again in an hour. */
async function skip(work: Work, reason: string): Promise<'over'> {
  createLog('embed').warn('embedding_skipped', { document_id: work.row.id, reason })
  await note(work, {}, HOUR_MS)
  return 'over'
}

async function finish(work: Work, embedder: string): Promise<'over'> {
  const { db, row } = work
  await note(work, { vectors: 'confirmed' })
  await db
    .update(knowledgeBases)
    .set({ embeddingModel: embedder })
    .where(and(eq(knowledgeBases.id, row.baseId), ne(knowledgeBases.embeddingModel, embedder)))
  return 'over'
}

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

async function readCeiling({ db, row }: Work): Promise<number | null> {
  const rows = await db
    .select({ ceiling: tenants.monthlyTokenCeiling })
    .from(tenants)
    .where(eq(tenants.id, row.tenantId))
    .limit(1)
  return rows[0]?.ceiling ?? null
}
