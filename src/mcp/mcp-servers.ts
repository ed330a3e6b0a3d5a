import { and, asc, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isUnchanged, nextUpdate, untilCommitted } from '../audit/until-committed'
import { MCP } from '../config/limits'
import type { TenantContext } from '../context'
import { findOwn, listOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import { type McpServerRow, mcpServers } from '../db/tables'
import { ApiError, conflict, notFound } from '../errors'
import { assertUrlAllowed } from '../platform/egress'
import { egressContext } from '../platform/egress-context'
import { EgressError } from '../platform/egress-fetch'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { replaceMcpReferences } from './mcp-references'
import { auditMcpServer } from './present-mcp-server'
import type { McpServerIn, McpServerPatch } from './schema'
import { openHeaders, sealHeaders } from './seal-headers'

const NAME_TAKEN = 'MCP server already exists'

export function listMcpServers(ctx: TenantContext): Promise<McpServerRow[]> {
  return listOwn(ctx.db, mcpServers, ctx.tenant.id, [], [asc(mcpServers.name)])
}

/** @throws notFound. */
export async function getMcpServer(
  ctx: Pick<TenantContext, 'db' | 'tenant'>,
  id: string,
): Promise<McpServerRow> {
  const row = await findOwn(ctx.db, mcpServers, ctx.tenant.id, eq(mcpServers.id, id))
  if (!row) throw notFound('MCP server')
  return row
}

/** Stores the server and has it asked for its tools in the background. @throws conflict; ApiError 422 for a refused address. */
export async function createMcpServer(
  ctx: TenantContext,
  input: McpServerIn,
): Promise<McpServerRow> {
  const url = await requireUrl(ctx, input.config.url)
  const id = newId(ctx.now)
  const headers = input.config.headers ?? {}
  const enabled = input.enabled ?? true
  const row: McpServerRow = {
    id,
    tenantId: ctx.tenant.id,
    name: input.name,
    transport: input.transport,
    url,
    headers: await sealHeaders(ctx.config, ownerOf(ctx, id, url), headers),
    headerNames: Object.keys(headers),
    enabled,
    ...blankState(ctx, enabled),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  try {
    const hadRoom = await commitChange(
      ctx,
      ctx.tenant.id,
      [ctx.db.insert(mcpServers).values(row)],
      {
        action: 'create',
        entity: 'mcp_server',
        entityId: id,
        entityName: row.name,
        before: null,
        after: auditMcpServer(row),
        requires: sql`(SELECT count(*) FROM mcp_servers WHERE tenant_id = ${ctx.tenant.id}) < ${MCP.serversPerTenant}`,
      },
    )
    if (!hadRoom)
      throw conflict(`A tenant has at most ${MCP.serversPerTenant} MCP servers; delete one first`)
  } catch (error) {
    if (isTaken(error, 'mcp_servers.name')) throw conflict(NAME_TAKEN)
    throw error
  }
  if (enabled) await askLater(ctx, id)
  return row
}

/**
 * Only what is sent changes. Another address or transport is another server: its pinned tools are forgotten; and to
 * another address go only headers that are sent along. Agents and skills follow a rename. @throws notFound; conflict; ApiError 422.
 */
export async function patchMcpServer(
  ctx: TenantContext,
  id: string,
  patch: McpServerPatch,
): Promise<McpServerRow> {
  const url = patch.config?.url === undefined ? undefined : await requireUrl(ctx, patch.config.url)
  const { row, isAnother } = await untilCommitted(turnOf(ctx, id), async () => {
    const before = await getMcpServer(ctx, id)
    const after = await applyPatch(ctx, before, patch, url)
    const another = after.url !== before.url || after.transport !== before.transport
    const wakes = after.enabled && !before.enabled
    if (another) Object.assign(after, blankState(ctx, after.enabled))
    else if (wakes) after.checkingAt = ctx.now
    const saved = await saveServer(ctx, before, after)
    return saved ? { row: after, isAnother: (another || wakes) && after.enabled } : null
  })
  if (isAnother) await askLater(ctx, id)
  return row
}

async function applyPatch(
  ctx: TenantContext,
  before: McpServerRow,
  patch: McpServerPatch,
  newUrl: string | undefined,
): Promise<McpServerRow> {
  const url = newUrl ?? before.url
  const sent = patch.config?.headers
  const base = {
    ...before,
    name: patch.name ?? before.name,
    transport: patch.transport ?? before.transport,
    enabled: patch.enabled ?? before.enabled,
    url,
    updatedAt: nextUpdate(before, ctx.now),
  }
  if (sent === undefined && url === before.url) return base
  const kept =
    url === before.url && sent !== null
      ? await openHeaders(ctx.config, ownerOf(ctx, before.id, url), before.headers)
      : {}
  const headers = mergeHeaders(kept, sent ?? {})
  if (Object.keys(headers).length > MCP.headers) {
    const msg = `Value error, at most ${MCP.headers} headers, each once`
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body', 'config', 'headers'], msg },
    ])
  }
  return {
    ...base,
    headers: await sealHeaders(ctx.config, ownerOf(ctx, before.id, url), headers),
    headerNames: Object.keys(headers),
  }
}

/** Header names have no case; the spelling sent last is kept. */
function mergeHeaders(
  kept: Record<string, string>,
  sent: Record<string, string | null>,
): Record<string, string> {
  const touched = new Set(Object.keys(sent).map((name) => name.toLowerCase()))
  const rest = Object.entries(kept).filter(([name]) => !touched.has(name.toLowerCase()))
  const set = Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null)
  return Object.fromEntries([...rest, ...set])
}

async function saveServer(
  ctx: TenantContext,
  before: McpServerRow,
  after: McpServerRow,
): Promise<boolean> {
  const { id, tenantId, createdAt, ...set } = after
  try {
    return await commitChange(
      ctx,
      tenantId,
      [
        ctx.db
          .update(mcpServers)
          .set(set)
          .where(and(eq(mcpServers.tenantId, tenantId), eq(mcpServers.id, id))),
        ...(after.name === before.name ? [] : replaceMcpReferences(ctx, before.name, after.name)),
      ],
      {
        action: 'update',
        entity: 'mcp_server',
        entityId: id,
        entityName: after.name,
        before: auditMcpServer(before),
        after: auditMcpServer(after),
        requires: isUnchanged(mcpServers, before),
      },
    )
  } catch (error) {
    if (isTaken(error, 'mcp_servers.name')) throw conflict(NAME_TAKEN)
    throw error
  }
}

/** Its tools leave every agent and skill in the same batch. @throws notFound. */
export async function deleteMcpServer(ctx: TenantContext, id: string): Promise<void> {
  await untilCommitted(turnOf(ctx, id), async () => {
    const before = await getMcpServer(ctx, id)
    const deleted = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .delete(mcpServers)
          .where(and(eq(mcpServers.tenantId, ctx.tenant.id), eq(mcpServers.id, id))),
        ...replaceMcpReferences(ctx, before.name, null),
      ],
      {
        action: 'delete',
        entity: 'mcp_server',
        entityId: id,
        entityName: before.name,
        before: auditMcpServer(before),
        after: null,
        requires: isUnchanged(mcpServers, before),
      },
    )
    return deleted || null
  })
}

export const turnOf = (ctx: Pick<TenantContext, 'tenant'>, id: string) =>
  `mcp_server ${ctx.tenant.id} ${id}`

const ownerOf = (ctx: TenantContext, serverId: string, url: string) => ({
  tenantId: ctx.tenant.id,
  wrappedKey: ctx.tenant.wrappedKey,
  serverId,
  url,
})

/** Nothing is known of the server; `isAsked`: a check is on its way. */
function blankState(ctx: TenantContext, isAsked: boolean) {
  return {
    era: null,
    tools: null,
    pending: [],
    outcome: null,
    lastError: null,
    lastCheckedAt: null,
    checkingAt: isAsked ? ctx.now : null,
  }
}

function askLater(ctx: TenantContext, serverId: string): Promise<void> {
  return sendJobs(ctx.env, [{ type: 'mcp.check', tenantId: ctx.tenant.id, serverId }])
}

/** A resolver that does not answer refuses nothing here: the address is checked again at every use, and refused then. */
async function requireUrl(ctx: TenantContext, text: string): Promise<string> {
  try {
    return (await assertUrlAllowed(egressContext(ctx.config), text)).href
  } catch (error) {
    const parsed = URL.parse(text)
    if (parsed && error instanceof EgressError && error.code !== 'url_not_allowed')
      return parsed.href
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body', 'config', 'url'], msg: 'URL is not allowed' },
    ])
  }
}
