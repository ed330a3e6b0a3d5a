import { sql } from 'drizzle-orm'
import { OPTIONAL_TOOLS, SYSTEM_TOOLS } from '../config/names'
import type { Db } from '../db/client'
import { pickOwn } from '../db/own'
import { mcpServers } from '../db/tables/mcp-servers'
import { parseReference } from './tool-reference'
import type { PinnedTool } from './types'

/** A tenant's servers by name, with the states of their tools; `tools` is null where the server was never asked. */
export type ToolDirectory = ReadonlyMap<
  string,
  { enabled: boolean; tools: ReadonlyMap<string, PinnedTool['state']> | null }
>

/** One row a server, for a batch. */
export function selectDirectory(db: Db, tenantId: string) {
  return pickOwn(db, mcpServers, tenantId, {
    id: mcpServers.id,
    name: mcpServers.name,
    enabled: mcpServers.enabled,
    tools: sql<string | null>`CASE WHEN ${mcpServers.tools} IS NOT NULL THEN (
        SELECT json_group_array(json_array(value ->> 'name', value ->> 'state')) FROM json_each(${mcpServers.tools})) END`,
  })
}

export function toDirectory(
  rows: readonly { name: string; enabled: boolean; tools: string | null }[],
): ToolDirectory {
  return new Map(
    rows.map(({ name, enabled, tools }) => [
      name,
      { enabled, tools: tools === null ? null : new Map(JSON.parse(tools)) },
    ]),
  )
}

const OWN_TOOLS = new Set<string>([...SYSTEM_TOOLS, ...OPTIONAL_TOOLS])

/** Why a tool in the list of an agent or a skill is not used, or null. Pure. */
export function toolProblem(name: string, servers: ToolDirectory): string | null {
  if (OWN_TOOLS.has(name)) return null
  const reference = parseReference(name)
  const server = reference ? servers.get(reference.server) : undefined
  if (!reference || !server) return `Unknown tool "${name}" is skipped.`
  if (!server.enabled) return `Tool "${name}" is skipped: the MCP server is disabled.`
  if (reference.tool === null || server.tools === null) return null
  const state = server.tools.get(reference.tool)
  if (state === undefined) return `Unknown tool "${name}" is skipped.`
  if (state === 'changed') return `Tool "${name}" is skipped until its change is accepted.`
  if (state === 'gone') return `Tool "${name}" is skipped: the server no longer announces it.`
  return null
}
