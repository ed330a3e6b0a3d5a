import { eq, type SQL, sql } from 'drizzle-orm'
import { USAGE_REPORT } from '../config/limits'
import type { TenantContext } from '../context'
import { openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { users } from '../db/tables/users'
import { notFound } from '../errors'
import { tenantMeter } from '../platform/stubs'
import { isoOf } from '../time'
import { lastPeriods, startOfPeriod } from './periods'

/** Named, because SQLite left to itself reads the hours of all users for the one that is asked for. */
export const USAGE_BY_USER = sql.raw('usage_hourly AS d INDEXED BY usage_by_user')

/**
 * What one user used, a point for every hour of the last `hours`, else for every day (UTC) of the last `days` (30 by default);
 * periods without use are points too. @throws notFound.
 */
export async function reportUserUsage(
  ctx: TenantContext,
  userId: string,
  span: { hours?: number | undefined; days?: number | undefined },
) {
  const active = [eq(users.id, userId), eq(users.status, 'active')]
  if (!(await findOwn(ctx.db, users, ctx.tenant.id, ...active))) throw notFound('User')
  const period = span.hours === undefined ? 'day' : 'hour'
  const starts = lastPeriods(period, span.hours ?? span.days ?? USAGE_REPORT.defaultDays, ctx.now)
  await tenantMeter(ctx.env, ctx.tenant.id).flush(ctx.tenant.id)
  const rows = await openPrimary(ctx.env.DB).all<{
    hour: number
    tokens: number
    requests: number
  }>(userHoursQuery(ctx.tenant.id, userId, starts[0] ?? ctx.now))
  const points = new Map(
    starts.map((start) => [start, { t: isoOf(start), tokens: 0, requests: 0 }]),
  )
  for (const row of rows) {
    const point = points.get(startOfPeriod(period, row.hour))
    if (!point) continue
    point.tokens += row.tokens
    point.requests += row.requests
  }
  const list = [...points.values()]
  return { points: list, total_tokens: list.reduce((sum, { tokens }) => sum + tokens, 0) }
}

/** Exported for the test that reads its plan. */
export const userHoursQuery = (tenantId: string, userId: string, since: number): SQL => sql`
  SELECT hour, sum(input_tokens + output_tokens) AS tokens, sum(requests) AS requests FROM ${USAGE_BY_USER}
  WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND hour >= ${since} GROUP BY hour`
