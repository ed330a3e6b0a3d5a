import { and, eq, sql } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { agents, skills } from '../db/tables'

/**
 * Statements for a write's batch: every `mcp:{server}` and `mcp:{server}/{tool}` in the lists of agents and skills gets the
 * server's new name, or is taken out.
 * @param to null when the server is deleted.
 */
export function replaceMcpReferences(ctx: TenantContext, from: string, to: string | null) {
  const whole = `mcp:${from}`
  const path = '$.tools'
  const isOurs = sql`(value = ${whole} OR substr(value, 1, ${[...whole].length + 1}) = ${`${whole}/`})`
  const renamed = to === null ? null : `mcp:${to}`
  return [agents, skills].map((table) =>
    ctx.db
      .update(table)
      .set({
        config: sql`json_set(${table.config}, ${path}, (
          SELECT json_group_array(CASE WHEN ${isOurs} THEN ${renamed} || substr(value, ${[...whole].length + 1}) ELSE value END)
          FROM json_each(${table.config}, ${path}) WHERE ${renamed} IS NOT NULL OR NOT ${isOurs}))`,
        updatedAt: sql`max(${ctx.now}, ${table.updatedAt} + 1)`,
      })
      .where(
        and(
          eq(table.tenantId, ctx.tenant.id),
          sql`EXISTS (SELECT 1 FROM json_each(${table.config}, ${path}) WHERE ${isOurs})`,
        ),
      ),
  )
}
