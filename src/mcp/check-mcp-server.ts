import { and, eq } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isUnchanged, nextUpdate, untilCommitted } from '../audit/until-committed'
import type { TenantContext } from '../context'
import { type McpServerRow, mcpServers } from '../db/tables'
import { type Discovery, discoverTools } from './discover'
import { McpError } from './mcp-error'
import { getMcpServer, turnOf } from './mcp-servers'
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
  const found = await discoverTools(ctx.config, {
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
  return untilCommitted(turnOf(ctx, id), async () => {
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
  const states = { before: auditMcpServer(before), after: auditMcpServer(after) }
  const own = and(
    eq(mcpServers.tenantId, ctx.tenant.id),
    eq(mcpServers.id, before.id),
    eq(mcpServers.updatedAt, before.updatedAt),
  )
  if (JSON.stringify(states.before) === JSON.stringify(states.after)) {
    const written = await ctx.db
      .update(mcpServers)
      .set(checked)
      .where(own)
      .returning({ id: mcpServers.id })
    return written.length > 0 ? after : null
  }
  after.updatedAt = nextUpdate(before, ctx.now)
  const written = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db
        .update(mcpServers)
        .set({ ...checked, updatedAt: after.updatedAt })
        .where(own),
    ],
    {
      action: 'update',
      entity: 'mcp_server',
      entityId: before.id,
      entityName: before.name,
      ...states,
      requires: isUnchanged(mcpServers, before),
    },
  )
  return written ? after : null
}
