import { eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { tenants } from '../db/tables/tenants'

/** The tenant's key as it is wrapped now; null for a tenant who is not there. */
export async function readWrappedKey(env: Env, tenantId: string): Promise<string | null> {
  const row = await openPrimary(env.DB)
    .select({ wrappedKey: tenants.wrappedKey })
    .from(tenants)
    .where(eq(tenants.id, tenantId))
    .limit(1)
    .get()
  return row?.wrappedKey ?? null
}
