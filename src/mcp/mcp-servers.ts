import { asc, eq } from 'drizzle-orm'
import { MCP } from '../config/limits'
import type { TenantContext } from '../context'
import { listOwn } from '../db/own'
import { type McpServerRow, mcpServers } from '../db/tables/mcp-servers'
import { egressContext } from '../domains/egress-context'
import { ApiError } from '../errors'
import { assertUrlAllowed } from '../platform/egress'
import { EgressError } from '../platform/egress-fetch'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import {
  changeResource,
  createResource,
  getResource,
  type ResourceKind,
  removeResource,
  saveResource,
} from '../resources/named-resource'
import { listMcpHolders, replaceMcpReferences } from './mcp-references'
import { auditMcpServer } from './present-mcp-server'
import type { McpServerIn, McpServerPatch } from './schema'
import { openHeaders, sealHeaders } from './seal-headers'

export const MCP_SERVER: ResourceKind<typeof mcpServers> = {
  table: mcpServers,
  entity: 'mcp_server',
  title: 'MCP server',
  limit: {
    most: MCP.serversPerTenant,
    full: `A tenant has at most ${MCP.serversPerTenant} MCP servers; delete one first`,
  },
  snapshot: auditMcpServer,
  follow: replaceMcpReferences,
  usedBy: listMcpHolders,
}

export function listMcpServers(ctx: TenantContext): Promise<McpServerRow[]> {
  return listOwn(ctx.db, mcpServers, ctx.tenant.id, [], [asc(mcpServers.name)])
}

/** @throws notFound. */
export function getMcpServer(
  ctx: Pick<TenantContext, 'db' | 'tenant'>,
  id: string,
): Promise<McpServerRow> {
  return getResource(ctx, MCP_SERVER, eq(mcpServers.id, id))
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
  const row = await createResource(ctx, MCP_SERVER, {
    id,
    tenantId: ctx.tenant.id,
    name: input.name,
    transport: input.transport,
    url,
    headers: await sealHeaders(ctx.config, ownerOf(ctx, id, url), headers),
    headerNames: Object.keys(headers),
    enabled,
    confirm: input.confirm ?? [],
    ...blankState(ctx, enabled),
    createdAt: ctx.now,
    updatedAt: ctx.now,
    formerNames: [],
  })
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
  const url = patch.config?.url == null ? undefined : await requireUrl(ctx, patch.config.url)
  const { row, isAnother } = await changeResource(ctx, MCP_SERVER, id, async () => {
    const before = await getMcpServer(ctx, id)
    const changed = await readPatch(ctx, before, patch, url)
    const { enabled } = changed
    const another = changed.url !== before.url || changed.transport !== before.transport
    const wakes = enabled && !before.enabled
    const state = another ? blankState(ctx, enabled) : wakes ? { checkingAt: ctx.now } : {}
    const after = await saveResource(ctx, MCP_SERVER, before, { ...changed, ...state })
    return after && { row: after, isAnother: (another || wakes) && enabled }
  })
  if (isAnother) await askLater(ctx, id)
  return row
}

async function readPatch(
  ctx: TenantContext,
  before: McpServerRow,
  patch: McpServerPatch,
  newUrl: string | undefined,
) {
  const url = newUrl ?? before.url
  const sent = patch.config?.headers
  const changed = {
    name: patch.name ?? before.name,
    transport: patch.transport ?? before.transport,
    enabled: patch.enabled === undefined ? before.enabled : (patch.enabled ?? true),
    confirm: patch.confirm === undefined ? before.confirm : (patch.confirm ?? []),
    url,
  }
  if (sent === undefined && url === before.url) return changed
  const owner = ownerOf(ctx, before.id, url)
  const kept =
    url === before.url && sent !== null ? await openHeaders(ctx.config, owner, before.headers) : {}
  const headers = mergeHeaders(kept, sent ?? {})
  if (Object.keys(headers).length > MCP.headers) {
    const msg = `Value error, at most ${MCP.headers} headers, each once`
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body', 'config', 'headers'], msg },
    ])
  }
  return {
    ...changed,
    headers: await sealHeaders(ctx.config, owner, headers),
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

/** Its tools leave every agent and skill in the same batch. @throws notFound. */
export async function deleteMcpServer(ctx: TenantContext, id: string): Promise<void> {
  await changeResource(ctx, MCP_SERVER, id, async () =>
    removeResource(ctx, MCP_SERVER, await getMcpServer(ctx, id)),
  )
}

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
    return (await assertUrlAllowed(egressContext(ctx.env), text)).href
  } catch (error) {
    const parsed = URL.parse(text)
    if (parsed && error instanceof EgressError && error.code !== 'url_not_allowed')
      return parsed.href
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body', 'config', 'url'], msg: 'URL is not allowed' },
    ])
  }
}
