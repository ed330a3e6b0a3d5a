import { and, eq, sql } from 'drizzle-orm'
import type { OperatorContext } from '../context'
import { agents } from '../db/tables/agents'
import { skills } from '../db/tables/skills'

/**
 * Statements for a write's batch: a new name takes the old one's place in the lists of every agent and skill that holds it.
 * @param after null when the object is deleted: its name is taken out.
 */
export function replaceReferences(
  ctx: OperatorContext,
  list: 'skills' | 'knowledge_bases',
  before: { tenantId: string; name: string },
  after: { name: string } | null,
) {
  const { tenantId, name: from } = before
  const to = after?.name ?? null
  if (from === to) return []
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
          eq(table.tenantId, tenantId),
          sql`EXISTS (SELECT 1 FROM json_each(${table.config}, ${path}) WHERE value = ${from})`,
        ),
      ),
  )
}
