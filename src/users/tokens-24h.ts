import { HOUR_MS } from '../config/limits'

const HOURS = 24
const BATCH = 1000
const BATCHES = 50

const SUM = `
  UPDATE users SET
    tokens_24h = coalesce((SELECT sum(input_tokens + output_tokens) FROM usage_hourly AS u
      WHERE u.tenant_id = users.tenant_id AND u.user_id = users.id AND u.hour >= ?1), 0),
    tokens_24h_until = (SELECT min(hour) + ${HOURS * HOUR_MS} FROM usage_hourly AS u
      WHERE u.tenant_id = users.tenant_id AND u.user_id = users.id AND u.hour >= ?1 AND u.input_tokens + u.output_tokens > 0)`

/** The oldest hour that counts: the running one and the 23 before it make a day. */
export const oldestHour = (now: number): number => (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS

/** Sums up anew for the users whose usage was just written. @param userIds as JSON: an array of objects with `user_id`. */
export function sumTokensOf(d1: D1Database, tenantId: string, userIds: string, now: number) {
  return d1
    .prepare(
      `${SUM} WHERE tenant_id = ?2 AND id IN (SELECT DISTINCT value ->> 'user_id' FROM json_each(?3))`,
    )
    .bind(oldestHour(now), tenantId, userIds)
}

/** Users of whose sum an hour has become too old. Costs what changed, however many users there are. */
export async function settleTokens24h(env: Env, now: number): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const { meta } = await env.DB.prepare(
      `${SUM} WHERE id IN (SELECT id FROM users WHERE tokens_24h_until <= ?2 ORDER BY tokens_24h_until LIMIT ${BATCH})`,
    )
      .bind(oldestHour(now), now)
      .run()
    if (meta.changes === 0) return
  }
}
