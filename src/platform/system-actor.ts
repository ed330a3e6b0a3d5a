import { and, eq } from 'drizzle-orm'
import { configOf } from '../config/read-config'
import type { OperatorContext, TenantContext } from '../context'
import { openPrimary } from '../db/client'
import { tenants } from '../db/tables/tenants'
import { createLog } from '../log'
import { newId } from './ids'

/** What a job acts as where it changes something that the audit trail records. `component` names it in the log. */
export function createSystemContext(env: Env, component: string): OperatorContext {
  const now = Date.now()
  const config = configOf(env)
  return {
    env,
    config,
    db: openPrimary(env.DB),
    log: createLog(component),
    now,
    requestId: newId(now),
    origin: config.publicBase,
    waitUntil: () => {},
    actor: { type: 'system', name: 'system', keyId: null },
    via: 'api',
  }
}

/** The same for a tenant's own things; null when the tenant is not active any more. */
export async function createTenantContext(
  env: Env,
  component: string,
  tenantId: string,
): Promise<TenantContext | null> {
  const ctx = createSystemContext(env, component)
  const isActive = and(eq(tenants.id, tenantId), eq(tenants.status, 'active'))
  const tenant = await ctx.db.select().from(tenants).where(isActive).limit(1).get()
  return tenant ? { ...ctx, tenant } : null
}
