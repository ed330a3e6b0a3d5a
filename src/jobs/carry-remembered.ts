import { and, eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { tenants } from '../db/tables/tenants'
import { moveRemembered } from '../memory/move-remembered'
import type { JobOf } from './job'

/** What was remembered of an anonymous visitor goes over to the account that the visitor made. Safe to run twice. */
export async function carryRemembered(env: Env, job: JobOf<'remembered.carry'>): Promise<void> {
  const { tenantId } = job
  const rows = await openPrimary(env.DB)
    .select()
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), eq(tenants.status, 'active')))
    .limit(1)
  const tenant = rows[0]
  if (!tenant) return
  const callerFor = ({ userId, spaceId, tag }: (typeof job)['from']) => ({
    address: { tenantId, userId, spaceId },
    tag,
    wrappedTenantKey: tenant.wrappedKey,
    tokenVersion: null,
    privacy: tenant.privacyMode,
    byok: tenant.byok,
    settingsAt: tenant.updatedAt,
  })
  await moveRemembered(env, callerFor(job.from), callerFor(job.to))
}
