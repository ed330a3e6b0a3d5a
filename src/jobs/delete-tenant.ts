import { eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { reviewOrigins, reviews, tenants } from '../db/tables'
import { sendJobs } from '../platform/queue'

const LIST_LIMIT = 1000

/**
 * Destroys a deleted tenant's reviews and user keys, then its stored files, a listing at a time. Repeats go on where the last one
 * stopped: what is gone is no longer listed.
 */
export async function deleteTenantData(env: Env, tenantId: string): Promise<void> {
  const tenant = (
    await openPrimary(env.DB).select().from(tenants).where(eq(tenants.id, tenantId)).limit(1)
  )[0]
  if (tenant?.status !== 'deleted') return
  const db = openPrimary(env.DB)
  await db.batch([
    db.delete(reviewOrigins).where(eq(reviewOrigins.tenantId, tenantId)),
    db.delete(reviews).where(eq(reviews.tenantId, tenantId)),
  ])
  for (const prefix of [
    `keys/${tenantId}/`,
    `users/${tenantId}/`,
    `bases/${tenantId}/`,
    `logos/${tenantId}/`,
    `icons/${tenantId}/`,
  ]) {
    const { objects, truncated } = await env.FILES.list({ prefix, limit: LIST_LIMIT })
    if (objects.length > 0) await env.FILES.delete(objects.map((object) => object.key))
    if (truncated) return sendJobs(env, [{ type: 'tenant.delete', tenantId }])
  }
}
