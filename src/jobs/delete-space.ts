import { and, eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { deletions } from '../db/tables'
import { userSpace } from '../platform/stubs'
import type { JobOf } from './job'

const R2_BATCH = 1000

/** Everything that a deleted space's object holds, and the bytes of its attachments. Safe to run twice. */
export async function deleteSpaceData(env: Env, job: JobOf<'space.delete'>): Promise<void> {
  const keys = await userSpace(env, job).destroy()
  for (let i = 0; i < keys.length; i += R2_BATCH) {
    await env.FILES.delete(keys.slice(i, i + R2_BATCH))
  }
  await openPrimary(env.DB)
    .delete(deletions)
    .where(and(eq(deletions.userId, job.userId), eq(deletions.spaceId, job.spaceId)))
}
