import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { MCP } from '../config/limits'
import type { Db } from '../db/client'
import { selectOwn } from '../db/own'
import { type McpServerRow, mcpServers } from '../db/tables/mcp-servers'
import { usableTools } from './pin-tools'
import { isReferred, parseReference } from './tool-reference'
import type { McpServerFacts, ToolDefinition } from './types'

/**
 * The tenant's servers that are on and that an agent's tools, or those of its skills, refer to.
 * @param agent selects the agent's row.
 */
export function selectReferredServers(db: Db, tenantId: string, agent: SQL) {
  const referred = sql`(t.value = 'mcp:' || ${mcpServers.name} OR substr(t.value, 1, length(${mcpServers.name}) + 5) = 'mcp:' || ${mcpServers.name} || '/')`
  return selectOwn(
    db,
    mcpServers,
    tenantId,
    eq(mcpServers.enabled, true),
    sql`(EXISTS (SELECT 1 FROM json_each((${agent}), '$.tools') t WHERE ${referred})
          OR EXISTS (SELECT 1 FROM json_each((${agent}), '$.skills') s JOIN skills k ON k.tenant_id = ${tenantId} AND k.name = s.value, json_each(k.config, '$.tools') t WHERE ${referred}))`,
  ).orderBy(asc(mcpServers.name))
}

/**
 * What a turn gets to know of the servers: address, sealed headers, and the pinned tools that are referred to, at most as
 * many as a turn may offer. Pure.
 */
export function toServerFacts(
  rows: readonly McpServerRow[],
  references: ReadonlySet<string>,
  now: number,
): McpServerFacts[] {
  let room = { tools: MCP.toolsPerTurn as number, characters: MCP.definitionsPerTurn as number }
  return rows.map((row) => {
    const own = [...references].filter((text) => parseReference(text)?.server === row.name)
    const { id, name, formerNames, transport, url, headers, era, confirm } = row
    const facts = {
      ...{ id, name, formerNames, transport, url, headers, era, confirm },
      references: own,
    }
    if (row.tools === null && !failedLately(row, now)) return { ...facts, tools: null }
    const [tools, rest] = takeTools(usableTools(row.tools), name, own, room)
    room = rest
    return { ...facts, tools }
  })
}

/** The tools that are referred to, as far as there is room for their definitions. Pure. */
export function takeTools(
  tools: readonly ToolDefinition[],
  server: string,
  references: readonly string[],
  room: { tools: number; characters: number },
): [ToolDefinition[], { tools: number; characters: number }] {
  const taken: ToolDefinition[] = []
  let { tools: count, characters } = room
  for (const { name, description, notes, schema, hash } of tools) {
    if (!isReferred(references, server, name)) continue
    const size = description.length + notes.length + JSON.stringify(schema).length
    if (count < 1 || size > characters) continue
    count -= 1
    characters -= size
    taken.push({ name, description, notes, schema, hash })
  }
  return [taken, { tools: count, characters }]
}

/** A turn does not wait again for a server that has just not answered. */
function failedLately(row: McpServerRow, now: number): boolean {
  return (
    row.outcome === 'failed' && row.lastCheckedAt !== null && row.lastCheckedAt > now - MCP.retryMs
  )
}
