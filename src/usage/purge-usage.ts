import { DAY_MS, LIMITS } from '../config/limits'

/** Hourly rows older than 400 days go: a report over a year stays possible, the table stays bounded. */
export async function purgeUsage(env: Env, now: number): Promise<void> {
  await env.DB.prepare('DELETE FROM usage_hourly WHERE hour < ?')
    .bind(now - LIMITS.usageDays * DAY_MS)
    .run()
}
