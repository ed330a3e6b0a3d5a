import { type SQL, sql } from 'drizzle-orm'
import { HOUR_MS } from '../config/limits'
import type { Db } from '../db/client'
import { USAGE_BY_USER } from '../usage/user-usage'

const HOURS = 24

/** The oldest hour that counts: the running one and the 23 before it make a day. */
const oldestHour = (now: number): number => (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS

/** What the user `u` of a statement used in the last day. */
export const tokens24hOf = (now: number): SQL<number> => sql`
  coalesce((SELECT sum(input_tokens + output_tokens) FROM ${USAGE_BY_USER}
    WHERE d.tenant_id = u.tenant_id AND d.user_id = u.id AND d.hour >= ${oldestHour(now)}), 0)`

export async function readTokens24h(
  db: Db,
  user: { tenantId: string; id: string },
  now: number,
): Promise<number> {
  const found = await db.get<{ tokens: number }>(
    sql`SELECT ${tokens24hOf(now)} AS tokens FROM users AS u WHERE u.tenant_id = ${user.tenantId} AND u.id = ${user.id}`,
  )
  return found?.tokens ?? 0
}

/**
 * Brings the column that a tenant's users are sorted by up to date, before a list in its order begins: no turn pays for
 * it. Reads the tenant's usage of a day and writes what changed.
 */
export async function sumTokens24h(db: Db, tenantId: string, now: number): Promise<void> {
  await db.run(sql`
    UPDATE users SET tokens_24h = day.tokens, tokens_24h_until = day.until
    FROM (
      SELECT user_id, sum(input_tokens + output_tokens) AS tokens, min(hour) + ${HOURS * HOUR_MS} AS until
      FROM usage_hourly WHERE tenant_id = ${tenantId} AND hour >= ${oldestHour(now)} GROUP BY user_id
    ) AS day
    WHERE users.tenant_id = ${tenantId} AND users.id = day.user_id
      AND (users.tokens_24h, users.tokens_24h_until) IS NOT (day.tokens, day.until)`)
  // Those who are still due had nothing in the day.
  await db.run(sql`
    UPDATE users SET tokens_24h = 0, tokens_24h_until = NULL
    WHERE tenant_id = ${tenantId} AND tokens_24h_until <= ${now}`)
}
