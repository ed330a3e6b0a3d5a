import { eq, sql } from 'drizzle-orm'
import { INGEST } from '../config/limits'
import { openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { documents } from '../db/tables/knowledge'
import { embedVersion } from '../knowledge/embed-version'
import { embedderName } from '../models/embedding'
import { sendJobs } from '../platform/queue'
import type { JobOf } from './job'

/** Vectors for a document that is searched already: the embedder changed, or there was no quota. Safe to run twice. */
export async function embedDocument(env: Env, job: JobOf<'document.embed'>): Promise<void> {
  const db = openPrimary(env.DB)
  const row = await findOwn(db, documents, job.tenantId, eq(documents.id, job.documentId))
  if (row?.status !== 'ready' || row.liveVersion !== job.version) return
  const outcome = await embedVersion({ env, db, row })
  if (outcome === 'more') await sendJobs(env, [job])
}

const BATCH = 200

/**
 * Queues documents that have no vectors of this deployment's embedder: another one made theirs, or the quota was used up.
 * At most 200 a call. @returns how many.
 */
export async function watchVectors(env: Env, now: number): Promise<number> {
  const embedder = embedderName(env)
  if (embedder === null) return 0
  const db = openPrimary(env.DB)
  const isDue = sql`status = 'ready' AND live_version IS NOT NULL AND embed_after < ${now} AND`
  const byEmbedder = sql`SELECT id FROM documents INDEXED BY documents_by_embedder WHERE ${isDue} embedder`
  // Each of them a range of an index: as one condition they are looked for among all documents.
  const waiting = sql`${byEmbedder} IS NULL UNION ALL ${byEmbedder} < ${embedder} UNION ALL ${byEmbedder} > ${embedder}
    UNION ALL SELECT id FROM documents INDEXED BY documents_unembedded WHERE ${isDue} vectors = 'none'`
  const asked = await db
    .update(documents)
    .set({ embedAfter: now + INGEST.stallMs })
    .where(sql`${documents.id} IN (SELECT id FROM (${waiting}) LIMIT ${BATCH})`)
    .returning({
      tenantId: documents.tenantId,
      documentId: documents.id,
      version: documents.liveVersion,
    })
  await sendJobs(
    env,
    asked.flatMap(({ version, ...row }) =>
      version === null ? [] : [{ type: 'document.embed' as const, ...row, version }],
    ),
  )
  return asked.length
}
