import { and, eq, isNull, lt } from 'drizzle-orm'
import { DAY_MS, MINUTE_MS } from '../config/limits'
import { openPrimary } from '../db/client'
import { deletions } from '../db/tables/deletions'
import { removeFiles, tenantPrefixes, userPrefixes } from '../platform/files'
import { sendJobs } from '../platform/queue'
import type { Job } from './job'

const GRACE_MS = 2 * MINUTE_MS
const BATCH = 500
/** Each is a few calls of the platform. */
const LOOKED_AT = 50

/** Deletions whose job was lost with its worker are taken up again. */
export async function watchDeletions(env: Env, now: number): Promise<void> {
  const open = await openPrimary(env.DB)
    .select({ tenantId: deletions.tenantId, userId: deletions.userId, spaceId: deletions.spaceId })
    .from(deletions)
    .where(and(isNull(deletions.finishedAt), lt(deletions.requestedAt, now - GRACE_MS)))
    .orderBy(deletions.requestedAt)
    .limit(BATCH)
  await sendJobs(env, open.map(jobOf))
}

function jobOf({
  tenantId,
  userId,
  spaceId,
}: {
  tenantId: string
  userId: string
  spaceId: string
}): Job {
  if (userId === tenantId) return { type: 'tenant.delete', tenantId }
  return spaceId === ''
    ? { type: 'user.delete', tenantId, userId }
    : { type: 'space.delete', tenantId, userId, spaceId }
}

/** A last look at what a deletion left, a day after it: a file that a dying worker still wrote goes too. */
export async function purgeDeletions(env: Env, now: number): Promise<void> {
  const db = openPrimary(env.DB)
  const done = await db
    .select()
    .from(deletions)
    .where(lt(deletions.finishedAt, now - DAY_MS))
    .limit(LOOKED_AT)
  for (const { tenantId, userId, spaceId } of done) {
    const prefixes = userId === tenantId ? tenantPrefixes(tenantId) : userPrefixes(tenantId, userId)
    for (const prefix of prefixes) await removeFiles(env.FILES, prefix)
    await db
      .delete(deletions)
      .where(and(eq(deletions.userId, userId), eq(deletions.spaceId, spaceId)))
  }
}
