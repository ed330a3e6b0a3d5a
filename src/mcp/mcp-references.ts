import { type SQL, sql } from 'drizzle-orm'
import type { OperatorContext } from '../context'
import { agents } from '../db/tables/agents'
import { skills } from '../db/tables/skills'
import { listHolders, replaceInLists, replaceInStorylines } from '../revisions/references'

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
  const isOurs = isOf(whole)
  const rest = sql`substr(value, ${[...whole].length + 1})`
  const renamed = after && sql`${`mcp:${after.name}`} || ${rest}`
  const lists = [agents, skills].map((table) =>
    replaceInLists(ctx, table, before.tenantId, 'tools', isOurs, renamed),
  )
  if (renamed === null) return lists
  const places = { list: '$.tools', field: '$.tool' }
  return [...lists, ...replaceInStorylines(ctx, before.tenantId, places, isOurs, renamed)]
}
