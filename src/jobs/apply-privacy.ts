import { asc, eq, gt } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import { spaces } from '../db/tables/spaces'
import { tenants } from '../db/tables/tenants'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import { createSystemContext } from '../platform/system-actor'
import type { JobOf } from './job'

const BATCH = 50

/**
 * Privacy mode was switched on: every space of the tenant drops its title and memory vectors and keeps none from now on. The
 * trail gets a receipt with what was found and left. Safe to run twice; ends when the mode was switched off meanwhile.
 * @throws Error when a space still holds a vector, so that it is tried again.
 */
export async function applyPrivacy(env: Env, job: JobOf<'privacy.apply'>): Promise<void> {
  const db = openPrimary(env.DB)
  const tenant = await db.select().from(tenants).where(eq(tenants.id, job.tenantId)).limit(1).get()
  if (!tenant?.privacyMode || tenant.status === 'deleted') return
  const rows = await pickOwn(
    db,
    spaces,
    tenant.id,
    { id: spaces.id, userId: spaces.userId },
    gt(spaces.id, job.after ?? ''),
  )
    .orderBy(asc(spaces.id))
    .limit(BATCH)
  const counts = await Promise.all(
    rows.map((space) => {
      const address = { tenantId: tenant.id, userId: space.userId, spaceId: space.id }
      return workIn(env, address, 'space', 'dropVectors', tenant.updatedAt)
    }),
  )
  if (counts.some(({ left }) => left > 0)) throw new Error('A space still holds vectors')
  const done = {
    spaces: (job.done?.spaces ?? 0) + rows.length,
    vectors: (job.done?.vectors ?? 0) + counts.reduce((sum, { dropped }) => sum + dropped, 0),
  }
  const last = rows.at(-1)
  if (last && rows.length === BATCH) {
    return sendJobs(env, [{ type: 'privacy.apply', tenantId: tenant.id, after: last.id, done }])
  }
  await commitChange(createSystemContext(env, 'privacy'), tenant.id, [], {
    action: 'delete',
    entity: 'vectors',
    entityId: tenant.id,
    entityName: tenant.name,
    before: { spaces: done.spaces, vectors: done.vectors },
    after: { spaces: done.spaces, vectors: 0 },
  })
}
