import { DAY_MS, LIMITS } from '../config/limits'

/** Hourly rows older than 400 days go: a report over a year stays possible, the table stays bounded. */
export async function purgeUsage(env: Env, now: number): Promise<void> {
  // Tenant by tenant, as the table is ordered: else every row is looked at.
  await env.DB.prepare(
    'DELETE FROM usage_hourly WHERE tenant_id IN (SELECT id FROM tenants) AND hour < ?',
  )
    .bind(now - LIMITS.usageDays * DAY_MS)
    .run()
}
