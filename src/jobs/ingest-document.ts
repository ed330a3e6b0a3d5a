import { and, eq } from 'drizzle-orm'
import { INGEST, LIMITS } from '../config/limits'
import { type Db, openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { type DocumentRow, documents } from '../db/tables/knowledge'
import { embedVersion, NO_VECTORS } from '../knowledge/embed-version'
import type { Chunk } from '../knowledge/types'
import { sendJobs } from '../platform/queue'
import { knowledgeBase } from '../platform/stubs'
import { searchTitle } from '../text/search-title'
import { chunkOriginal } from './chunk-original'
import { dropGone } from './drop-gone'
import { dropOldOriginals, isUntouched } from './drop-originals'
import type { JobOf } from './job'
import { tellDocuments } from './tell-document'

const PARSED_PROGRESS = 20
const STAGED_PROGRESS = 60
const GIVEN_UP =
  'The document could not be processed after three attempts. Reindex it, or upload it again in another format.'

/** What the uploader is told when the base refuses a document. */
export const REFUSED = {
  base_full: `The knowledge base is full: it holds at most ${LIMITS.chunksPerBase} passages. Delete documents or use another base.`,
  chunk_too_large: 'A passage of the document is too large to store.',
} as const

/** A document during one attempt; `row` is kept as `update` writes it. */
interface Work {
  env: Env
  db: Db
  row: DocumentRow
}

/**
 * Reads a stored original, cuts it into chunks and makes them searchable, all keyed by (document, version, chunk number):
 * a redelivered job, or one that was cut off anywhere, ends with the same chunks as a clean run.
 * @throws when something that may pass failed; the queue tries again, three attempts in all.
 */
export async function ingestDocument(env: Env, job: JobOf<'document.ingest'>): Promise<void> {
  const db = openPrimary(env.DB)
  const row = await findOwn(db, documents, job.tenantId, eq(documents.id, job.documentId))
  // Deleted. An earlier attempt may have put chunks into the base after that, and died before it looked again.
  if (!row) {
    const { tenantId, baseId } = job
    if (baseId) await dropGone(env, db, { tenantId, baseId }, [job.documentId])
    return
  }
  // A newer version was uploaded: that one has a job of its own.
  if (row.version !== job.version || row.status === 'failed') return
  // Redelivered although it was done: the job may have died before the webhooks were told.
  if (row.status === 'ready' && row.liveVersion === row.version) return tell(env, row, 'ready')
  if (row.attempts >= INGEST.attempts) return fail({ env, db, row }, GIVEN_UP)
  const work: Work = { env, db, row: { ...row, attempts: row.attempts + 1 } }
  const before = row.liveVersion
  await update(work, { attempts: work.row.attempts, status: 'parsing', progress: 0 })

  const read = await chunkOriginal(env, row)
  if (!read.ok) return fail(work, read.reason)
  const { title, chunks } = read
  await update(work, { progress: PARSED_PROGRESS })

  const refused = await stage(work, chunks, searchTitle(title, row.name))
  if (refused !== null) return fail(work, refused)
  const committed = await knowledgeBase(env, row.tenantId, row.baseId).commitDocument({
    tenantId: row.tenantId,
    baseId: row.baseId,
    documentId: row.id,
    version: row.version,
    edition: row.edition,
    name: row.name,
    title,
    url: row.sourceUrl,
    total: chunks.length,
  })
  if (!committed.ok) {
    // Deleted or replaced while it was read.
    const now = await findOwn(db, documents, row.tenantId, eq(documents.id, row.id))
    if (!now) return dropGone(env, db, row, [row.id])
    if (now.version !== row.version) return
    throw new Error('Staged chunks are incomplete')
  }
  const isThere = await update(work, {
    liveVersion: row.version,
    chunkCount: chunks.length,
    status: 'embedding',
    progress: STAGED_PROGRESS,
    ...NO_VECTORS,
  })
  if (!isThere) return dropGone(env, db, row, [row.id])
  const embedded = await embedVersion(work, (share) =>
    reportProgress(work, STAGED_PROGRESS + Math.round(share * (99 - STAGED_PROGRESS))),
  )
  await update(work, { status: 'ready', progress: 100, error: null })
  if (embedded === 'more') await sendJobs(env, [{ ...job, type: 'document.embed' }])
  await tell(env, work.row, 'ready')
  if (!isUntouched(row)) await dropOldOriginals(env, work.row, before)
}

/** @returns why the base does not take the document, or null. */
async function stage(work: Work, chunks: Chunk[], title: string): Promise<string | null> {
  const { env, row } = work
  for (let from = 0; from < chunks.length; from += INGEST.chunkBatchAlone) {
    const staged = await knowledgeBase(env, row.tenantId, row.baseId).stageChunks({
      tenantId: row.tenantId,
      baseId: row.baseId,
      documentId: row.id,
      version: row.version,
      edition: row.edition,
      title,
      from,
      chunks: chunks.slice(from, from + INGEST.chunkBatchAlone),
    })
    if (!staged.ok) {
      return REFUSED[staged.reason]
    }
    const share = Math.min(1, (from + INGEST.chunkBatchAlone) / chunks.length)
    await reportProgress(
      work,
      PARSED_PROGRESS + Math.round(share * (STAGED_PROGRESS - PARSED_PROGRESS)),
    )
  }
  return null
}

const PROGRESS_STEP = 10

/** Writes progress in steps of ten percent: enough for a progress bar, and for the cron to see that the job lives. */
async function reportProgress(work: Work, progress: number): Promise<void> {
  if (progress - work.row.progress < PROGRESS_STEP) return
  await update(work, { progress })
}

/** @returns whether this version of the document is still there. */
async function update(work: Work, change: Partial<DocumentRow>): Promise<boolean> {
  const now = Date.now()
  Object.assign(work.row, change, { updatedAt: now })
  const written = await work.db
    .update(documents)
    .set({ ...change, progressedAt: now, updatedAt: now })
    .where(
      and(
        eq(documents.tenantId, work.row.tenantId),
        eq(documents.id, work.row.id),
        eq(documents.version, work.row.version),
      ),
    )
    .returning({ id: documents.id })
    .get()
  return written !== undefined
}

/** Marks the document as failed, with the reason. What was searched before stays searchable. */
export async function fail(work: Work, reason: string): Promise<void> {
  await update(work, { status: 'failed', error: reason })
  await tell(work.env, work.row, 'failed')
}

const tell = (env: Env, row: DocumentRow, state: 'ready' | 'failed'): Promise<void> =>
  tellDocuments(env, row.tenantId, [row], state)

/** From the dead-letter queue: marks the document as failed, so that it does not stay in progress for ever. */
export async function giveUpDocument(
  env: Env,
  job: Omit<JobOf<'document.ingest'>, 'type'>,
): Promise<void> {
  const db = openPrimary(env.DB)
  const row = await findOwn(db, documents, job.tenantId, eq(documents.id, job.documentId))
  if (row && row.version === job.version && row.status !== 'ready')
    await fail({ env, db, row }, GIVEN_UP)
}
