import { and, inArray, lt } from 'drizzle-orm'
import { INGEST } from '../config/limits'
import { openPrimary } from '../db/client'
import { documents } from '../db/tables/knowledge'
import { aloneJob } from '../knowledge/ingestion-jobs'
import { sendJobs } from '../platform/queue'

const BATCH = 500

/** Takes up documents without progress for ten minutes: their job was lost with its worker. The attempts they had count. */
export async function watchDocuments(env: Env, now: number): Promise<number> {
  const db = openPrimary(env.DB)
  const stuck = await db
    .update(documents)
    .set({ progressedAt: now })
    .where(
      and(
        inArray(documents.status, ['queued', 'parsing', 'embedding']),
        lt(documents.progressedAt, now - INGEST.stallMs),
      ),
    )
    .returning({
      tenantId: documents.tenantId,
      baseId: documents.baseId,
      id: documents.id,
      version: documents.version,
    })
  for (let i = 0; i < stuck.length; i += BATCH) {
    await sendJobs(env, stuck.slice(i, i + BATCH).map(aloneJob))
  }
  return stuck.length
}
