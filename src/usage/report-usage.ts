import { type SQL, sql } from 'drizzle-orm'
import { DAY_MS, USAGE_REPORT } from '../config/limits'
import type { TenantContext } from '../context'
import { openPrimary } from '../db/client'
import { invalid } from '../errors'
import { tenantMeter } from '../platform/stubs'
import { parseSince } from '../time'
import { namePeriod, PERIODS, type Period, startOfPeriod } from './periods'
import type { UsageGroup, UsageRow } from './schema'

/** What one row of the database sums up. Field names are the wire's. */
type Sums = Omit<UsageRow, 'key' | 'label'>
type Entry = Sums & { key: string | number; label: string | null }

const SUMS = sql.raw(`
  coalesce(sum(requests), 0) AS requests, coalesce(sum(input_tokens), 0) AS input_tokens, coalesce(sum(output_tokens), 0) AS output_tokens,
  coalesce(sum(cached_tokens), 0) AS cached_tokens, coalesce(sum(input_tokens + output_tokens), 0) AS total_tokens,
  coalesce(sum(estimated_tokens), 0) AS estimated_tokens, coalesce(sum(events), 0) AS events`)

const named = (table: string, name: string) =>
  `(SELECT ${name} FROM ${table} WHERE id = key AND tenant_id = grouped.tenant_id)`

interface Grouping {
  key: string
  label: string
  /** Columns that the table is ordered by and the key is made of: summed up in that order first, so that few rows are left to be sorted. */
  first?: string
}

/** How each group is keyed, and where its names come from: all constant text (rule AZ6). Weeks begin on Monday. */
const GROUPS: Record<Exclude<UsageGroup, 'total'>, Grouping> = {
  agent: { key: 'agent_id', label: named('agents', 'name'), first: 'hour, agent_id' },
  user: {
    key: 'user_id',
    label: named("(SELECT * FROM users WHERE status = 'active')", 'external_id'),
  },
  space: { key: 'space_id', label: named('spaces', 'name') },
  model: { key: 'model', label: 'key' },
  kind: { key: 'kind', label: 'key' },
  hour: { key: 'hour', label: 'NULL' },
  day: { key: 'hour / 86400000 * 86400000', label: 'NULL', first: 'hour' },
  week: {
    key: '(hour + 259200000) / 604800000 * 604800000 - 259200000',
    label: 'NULL',
    first: 'hour',
  },
}

/**
 * Token and event counts since a moment (30 days ago by default), exact to the last settled turn. Periods come in order of
 * time, the newest 2,000; others by tokens, the 2,000 largest. `total` always covers everything.
 * @throws ApiError 422 for a `since` that is no time.
 */
export async function reportUsage(
  ctx: TenantContext,
  group: UsageGroup,
  since: string | undefined,
) {
  const start = startOfPeriod('hour', readSince(since, ctx.now))
  await tenantMeter(ctx.env, ctx.tenant.id).flush(ctx.tenant.id)
  const where = sql`tenant_id = ${ctx.tenant.id} AND hour >= ${start}`
  const db = openPrimary(ctx.env.DB)
  const rows = group === 'total' ? [] : await db.all<Entry>(groupQuery(group, where))
  // Rows that are not all of them add up to less; else what was read once need not be read again.
  const isWhole = group !== 'total' && rows.length < USAGE_REPORT.rows
  const [sums] = isWhole
    ? [addUp(rows)]
    : await db.all<Sums>(sql`SELECT ${SUMS} FROM usage_hourly WHERE ${where}`)
  if (!sums) throw new Error('A sum without a row')
  const total = present({ ...sums, key: 'total', label: 'Total' })
  if (group === 'total') return { group, total, rows: [total] }
  if (!isPeriod(group)) return { group, total, rows: rows.map((row) => presentNamed(group, row)) }
  return {
    group,
    total,
    rows: rows.reverse().map((row) => present({ ...row, ...namePeriod(group, Number(row.key)) })),
  }
}

function groupQuery(group: Exclude<UsageGroup, 'total'>, where: SQL): SQL {
  const { key, label, first } = GROUPS[group]
  const rows = first
    ? sql`(SELECT tenant_id, ${sql.raw(first)}, ${SUMS} FROM usage_hourly WHERE ${where} GROUP BY tenant_id, ${sql.raw(first)})`
    : sql`usage_hourly WHERE ${where}`
  const order = isPeriod(group)
    ? sql.raw('key DESC')
    : sql.raw('total_tokens DESC, requests DESC, key')
  return sql`
    SELECT *, ${sql.raw(label)} AS label FROM (
      SELECT tenant_id, ${sql.raw(key)} AS key, ${SUMS} FROM ${rows} GROUP BY 1, 2 ORDER BY ${order} LIMIT ${USAGE_REPORT.rows}
    ) AS grouped ORDER BY ${order}`
}

const NOTHING: Sums = {
  requests: 0,
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  total_tokens: 0,
  estimated_tokens: 0,
  events: 0,
}

function addUp(rows: readonly Sums[]): Sums {
  const sums = { ...NOTHING }
  for (const row of rows)
    for (const field of Object.keys(sums) as (keyof Sums)[]) sums[field] += row[field]
  return sums
}

function readSince(since: string | undefined, now: number): number {
  if (since === undefined || since === '') return now - USAGE_REPORT.defaultDays * DAY_MS
  const start = parseSince(since.trim(), now)
  if (start === null)
    throw invalid(['query', 'since'], 'a date, a time, or a span such as 7d or 24h')
  return start
}

const isPeriod = (group: UsageGroup): group is Period =>
  (PERIODS as readonly string[]).includes(group)

/** Ingestion has no agent, user or space; an object that is gone keeps its id for a name. */
function presentNamed(group: UsageGroup, row: Entry): UsageRow {
  if (row.key === '') return present({ ...row, key: 'none', label: `No ${group}` })
  return present({ ...row, key: String(row.key), label: row.label ?? String(row.key) })
}

function present(row: UsageRow): UsageRow {
  const { key, label, requests, input_tokens, output_tokens, cached_tokens } = row
  const { total_tokens, estimated_tokens, events } = row
  const tokens = { input_tokens, output_tokens, cached_tokens, total_tokens, estimated_tokens }
  return { key, label, requests, ...tokens, events }
}
