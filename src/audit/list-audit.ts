import { and, count, desc, eq, getTableColumns, gte, lt, type SQL, sql } from 'drizzle-orm'
import { AUDIT_EXPORT } from '../config/limits'
import type { TenantContext } from '../context'
import { hasText } from '../db/has-text'
import { pickOwn } from '../db/own'
import { type AuditRow, audit } from '../db/tables/audit'
import { GENESIS_HASH } from './entry'
import type { AuditFilter } from './schema'
import { sealTail } from './seal'

/** A filtered trail is counted this far. */
const COUNTED = 10_000

/** An entry with the hash that it builds on; null where that is not sealed yet. */
export type ListedEntry = AuditRow & { prevHash: string | null }

const LISTED = {
  ...getTableColumns(audit),
  prevHash: sql<string | null>`nullif(coalesce(
    (SELECT prev.hash FROM audit AS prev WHERE prev.tenant_id = audit.tenant_id AND prev.seq = audit.seq - 1),
    (SELECT anchor.hash FROM audit_anchors AS anchor WHERE anchor.tenant_id = audit.tenant_id AND anchor.seq = audit.seq - 1),
    iif(audit.seq = 1, ${GENESIS_HASH}, NULL)), '')`,
}

function matching(filter: AuditFilter, below: number | null): SQL | undefined {
  return and(
    below === null ? undefined : lt(audit.seq, below),
    filter.action === undefined ? undefined : eq(audit.action, filter.action),
    filter.entity === undefined ? undefined : eq(audit.entity, filter.entity),
    filter.q === undefined ? undefined : hasText(sql`${audit.entityName}`, filter.q),
    filter.changes_only ? sql`${audit.before} IS NOT ${audit.after}` : undefined,
    filter.date_from === undefined ? undefined : gte(audit.createdAt, filter.date_from),
    filter.date_to === undefined ? undefined : lt(audit.createdAt, filter.date_to),
  )
}

/**
 * One more than `limit`, newest first. `total` comes with the first page and with offsets; a cursor's page does not count
 * again (null) and starts right after the entry `below`, whatever was written meanwhile. Of a filtered trail at most 10,000
 * entries are counted (null beyond), so that no page costs what the whole trail does.
 */
export async function listAudit(
  ctx: TenantContext,
  filter: AuditFilter,
  page: { below: number | null; offset: number; limit: number },
): Promise<{ rows: ListedEntry[]; total: number | null }> {
  const read = () => readPage(ctx, filter, page)
  return sealed(ctx, await read(), ({ rows }) => rows, read)
}

/** What was read, read again once it is sealed where some of it still waited: only the newest entries do. */
async function sealed<T>(
  ctx: TenantContext,
  found: T,
  rowsOf: (found: T) => ListedEntry[],
  read: () => Promise<T>,
): Promise<T> {
  if (!rowsOf(found).some(({ hash }) => hash === '')) return found
  await sealTail(ctx.db, ctx.tenant.id)
  return read()
}

async function readPage(
  ctx: TenantContext,
  filter: AuditFilter,
  page: { below: number | null; offset: number; limit: number },
): Promise<{ rows: ListedEntry[]; total: number | null }> {
  const select = pickOwn(ctx.db, audit, ctx.tenant.id, LISTED, matching(filter, page.below))
    .orderBy(desc(audit.seq))
    .limit(page.limit + 1)
    .offset(page.below === null ? page.offset : 0)
  if (page.below !== null) return { rows: await select, total: null }
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== false)
  const [rows, [counted]] = await ctx.db.batch([
    select,
    isFiltered ? countMatching(ctx, filter) : countAll(ctx),
  ])
  const total = counted?.n ?? 0
  return { rows, total: isFiltered && total > COUNTED ? null : total }
}

/** Entries are numbered without a gap, from the last one that was purged on. */
const countAll = (ctx: TenantContext) =>
  pickOwn(ctx.db, audit, ctx.tenant.id, {
    n: sql<number>`coalesce(max(${audit.seq}) - coalesce((SELECT seq FROM audit_anchors WHERE tenant_id = ${ctx.tenant.id}), 0), 0)`,
  })

function countMatching(ctx: TenantContext, filter: AuditFilter) {
  const found = pickOwn(ctx.db, audit, ctx.tenant.id, { seq: audit.seq }, matching(filter, null))
    .limit(COUNTED + 1)
    .as('found')
  return ctx.db.select({ n: count() }).from(found)
}

/** The next entries of an export, newest first: as many as fit the size of a piece, at least one while any are left. */
export async function nextForExport(
  ctx: TenantContext,
  filter: AuditFilter,
  below: number | null,
): Promise<ListedEntry[]> {
  const read = () => readPiece(ctx, filter, below)
  return sealed(ctx, await read(), (rows) => rows, read)
}

async function readPiece(
  ctx: TenantContext,
  filter: AuditFilter,
  below: number | null,
): Promise<ListedEntry[]> {
  const where = and(eq(audit.tenantId, ctx.tenant.id), matching(filter, below))
  const weight = sql`2 * (coalesce(length(before), 0) + coalesce(length(after), 0))`
  return pickOwn(
    ctx.db,
    audit,
    ctx.tenant.id,
    LISTED,
    sql`${audit.seq} IN (
          SELECT seq FROM (
            SELECT seq, weight, sum(weight) OVER (ORDER BY seq DESC) AS sum_weight
            FROM (SELECT seq, ${weight} AS weight FROM audit WHERE ${where} ORDER BY seq DESC LIMIT ${AUDIT_EXPORT.rows})
          ) WHERE sum_weight - weight < ${AUDIT_EXPORT.characters})`,
  ).orderBy(desc(audit.seq))
}
