import { and, eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { deletions } from '../db/tables/deletions'
import { handoffs } from '../db/tables/handoffs'
import { storylineEnrollments } from '../db/tables/storylines'
import { deleteFiles } from '../platform/files'
import { userSpace } from '../platform/stubs'
import type { JobOf } from './job'

/** Everything that a deleted space's object holds, the bytes of its attachments, and where its user stood. Safe to run twice. */
export async function deleteSpaceData(env: Env, job: JobOf<'space.delete'>): Promise<void> {
  await deleteFiles(env.FILES, await userSpace(env, job).destroy())
  const { tenantId, userId, spaceId } = job
  const db = openPrimary(env.DB)
  await db.batch([
    db.delete(deletions).where(and(eq(deletions.userId, userId), eq(deletions.spaceId, spaceId))),
    ...[handoffs, storylineEnrollments].map((table) =>
      db
        .delete(table)
        .where(
          and(eq(table.tenantId, tenantId), eq(table.userId, userId), eq(table.spaceId, spaceId)),
        ),
    ),
  ])
}
