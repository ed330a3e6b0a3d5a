import { and, eq } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { type McpServerRow, mcpServers } from '../db/tables/mcp-servers'
import { changeResource, saveResource } from '../resources/named-resource'
import { type Discovery, discoverTools } from './discover'
import { McpError } from './mcp-error'
import { getMcpServer, MCP_SERVER } from './mcp-servers'
import { describePins, pinTools } from './pin-tools'
import { auditMcpServer } from './present-mcp-server'

/**
 * Asks the server for its tools and keeps what came of it: the outcome, and which definitions are used. A server that
 * fails keeps its pinned tools. `accept` takes over what changed. @throws notFound.
 */
export async function checkMcpServer(
  ctx: TenantContext,
  id: string,
  accept: boolean,
): Promise<McpServerRow> {
  const asked = await getMcpServer(ctx, id)
  const { url, transport, headers } = asked
  const found = await discoverTools(ctx.env, {
    tenantId: ctx.tenant.id,
    wrappedKey: ctx.tenant.wrappedKey,
    serverId: id,
    url,
    transport,
    headers,
  }).catch((error: unknown) => {
    if (error instanceof McpError) return error
    throw error
  })
  return changeResource(ctx, MCP_SERVER, id, async () => {
    const before = await getMcpServer(ctx, id)
    // Changed meanwhile: the answer is another server's, which is asked by itself.
    if (before.url !== url || before.transport !== transport || before.headers !== headers)
      return before
    return keep(ctx, before, judge(before, found, accept))
  })
}

type Verdict = Pick<McpServerRow, 'outcome' | 'lastError'> &
  Partial<Pick<McpServerRow, 'era' | 'tools' | 'pending'>>

function judge(before: McpServerRow, found: Discovery | McpError, accept: boolean): Verdict {
  if (found instanceof McpError) return { outcome: 'failed', lastError: found.message }
  const pins = pinTools(before, found.tools, accept)
  return {
    ...pins,
    outcome: 'ready',
    lastError: describePins(pins, found.unusable),
    era: found.era,
  }
}

/** Which definitions are used is configuration, and audited; how a check went is not. Null when another write came first. */
async function keep(
  ctx: TenantContext,
  before: McpServerRow,
  verdict: Verdict,
): Promise<McpServerRow | null> {
  const checked = { ...verdict, checkingAt: null, lastCheckedAt: Date.now() }
  const after: McpServerRow = { ...before, ...checked }
  if (JSON.stringify(auditMcpServer(before)) !== JSON.stringify(auditMcpServer(after)))
    return saveResource(ctx, MCP_SERVER, before, checked)
  const written = await ctx.db
    .update(mcpServers)
    .set(checked)
    .where(
      and(
        eq(mcpServers.tenantId, ctx.tenant.id),
        eq(mcpServers.id, before.id),
        eq(mcpServers.updatedAt, before.updatedAt),
      ),
    )
    .returning({ id: mcpServers.id })
  return written.length > 0 ? after : null
}
