import { and, eq, sql } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { agents, skills } from '../db/tables'

/**
 * Statements for a write's batch: replaces a name in the lists of every agent and skill that holds it, or takes it out.
 * @param to the new name, null when the object is deleted.
 */
export function replaceReferences(
  ctx: TenantContext,
  list: 'skills' | 'knowledge_bases',
  from: string,
  to: string | null,
) {
  const path = `$.${list}`
  const tables = list === 'skills' ? [agents] : [agents, skills]
  return tables.map((table) =>
    ctx.db
      .update(table)
      .set({
        config: sql`json_set(${table.config}, ${path}, (
          SELECT json_group_array(CASE WHEN value = ${from} THEN ${to} ELSE value END)
          FROM json_each(${table.config}, ${path}) WHERE ${to} IS NOT NULL OR value <> ${from}))`,
        updatedAt: sql`max(${ctx.now}, ${table.updatedAt} + 1)`,
      })
      .where(
        and(
          eq(table.tenantId, ctx.tenant.id),
          sql`EXISTS (SELECT 1 FROM json_each(${table.config}, ${path}) WHERE value = ${from})`,
        ),
      ),
  )
}
