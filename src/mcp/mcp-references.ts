import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { OperatorContext } from '../context'
import { agents } from '../db/tables/agents'
import { skills } from '../db/tables/skills'
import { holds, listHolders, replaceInStorylines } from '../revisions/references'

/** A tool of the server's, or all of them. */
const isOf = (whole: string): SQL =>
  sql`(value = ${whole} OR substr(value, 1, ${[...whole].length + 1}) = ${`${whole}/`})`

export const listMcpHolders = (ctx: OperatorContext, server: { tenantId: string; name: string }) =>
  listHolders(ctx, server, 'tools', isOf(`mcp:${server.name}`))

/**
 * Statements for a write's batch: every `mcp:{server}` and `mcp:{server}/{tool}` in the lists of agents and skills, and in the
 * nodes of storylines' working copies, gets the server's new name.
 * @param after null when the server is deleted: they are taken out of the lists.
 */
export function replaceMcpReferences(
  ctx: OperatorContext,
  before: { tenantId: string; name: string },
  after: { name: string } | null,
) {
  if (before.name === after?.name) return []
  const whole = `mcp:${before.name}`
  const path = '$.tools'
  const isOurs = isOf(whole)
  const renamed = after === null ? null : `mcp:${after.name}`
  const rest = sql`substr(value, ${[...whole].length + 1})`
  const lists = [agents, skills].map((table) =>
    ctx.db
      .update(table)
      .set({
        config: sql`json_set(${table.config}, ${path}, (
          SELECT json_group_array(CASE WHEN ${isOurs} THEN ${renamed} || ${rest} ELSE value END)
          FROM json_each(${table.config}, ${path}) WHERE ${renamed} IS NOT NULL OR NOT ${isOurs}))`,
        updatedAt: sql`max(${ctx.now}, ${table.updatedAt} + 1)`,
      })
      .where(and(eq(table.tenantId, before.tenantId), holds(table, 'tools', isOurs))),
  )
  if (renamed === null) return lists
  const places = { list: path, field: '$.tool' }
  return [
    ...lists,
    ...replaceInStorylines(ctx, before.tenantId, places, isOurs, sql`${renamed} || ${rest}`),
  ]
}
