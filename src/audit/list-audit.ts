import { and, count, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { AUDIT_EXPORT } from '../config'
import { type AuditRow, audit } from '../db/tables'
import type { TenantContext } from '../http/context'
import type { AuditFilter } from './schema'

function matching(ctx: TenantContext, filter: AuditFilter, below: number | null): SQL | undefined {
  return and(
    eq(audit.tenantId, ctx.tenant.id),
    below === null ? undefined : lt(audit.seq, below),
    filter.action === undefined ? undefined : eq(audit.action, filter.action),
    filter.entity === undefined ? undefined : eq(audit.entity, filter.entity),
    filter.q === undefined
      ? undefined
      : sql`instr(lower(${audit.entityName}), lower(${filter.q})) > 0`,
    filter.changes_only ? sql`${audit.before} IS NOT ${audit.after}` : undefined,
    filter.date_from === undefined ? undefined : gte(audit.createdAt, filter.date_from),
    filter.date_to === undefined ? undefined : lt(audit.createdAt, filter.date_to),
  )
}

/**
 * One more than `limit`, newest first. `total` is counted with the first page and with offsets; a cursor's page does not
 * count again (null) and starts right after the entry `below`, whatever was written meanwhile.
 */
export async function listAudit(
  ctx: TenantContext,
  filter: AuditFilter,
  page: { below: number | null; offset: number; limit: number },
): Promise<{ rows: AuditRow[]; total: number | null }> {
  const select = ctx.db
    .select()
    .from(audit)
    .where(matching(ctx, filter, page.below))
    .orderBy(desc(audit.seq))
    .limit(page.limit + 1)
    .offset(page.below === null ? page.offset : 0)
  if (page.below !== null) return { rows: await select, total: null }
  const [rows, [counted]] = await ctx.db.batch([
    select,
    ctx.db
      .select({ n: count() })
      .from(audit)
      .where(matching(ctx, filter, null)),
  ])
  return { rows, total: counted?.n ?? 0 }
}

/** The next entries of an export, newest first: as many as fit the size of a piece, at least one while any are left. */
export function nextForExport(
  ctx: TenantContext,
  filter: AuditFilter,
  below: number | null,
): Promise<AuditRow[]> {
  const where = matching(ctx, filter, below)
  const weight = sql`coalesce(length(before), 0) + coalesce(length(after), 0)`
  return ctx.db
    .select()
    .from(audit)
    .where(
      and(
        eq(audit.tenantId, ctx.tenant.id),
        sql`${audit.seq} IN (
          SELECT seq FROM (
            SELECT seq, weight, sum(weight) OVER (ORDER BY seq DESC) AS sum_weight
            FROM (SELECT seq, ${weight} AS weight FROM audit WHERE ${where} ORDER BY seq DESC LIMIT ${AUDIT_EXPORT.rows})
          ) WHERE sum_weight - weight < ${AUDIT_EXPORT.characters})`,
      ),
    )
    .orderBy(desc(audit.seq))
}
