import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { HOUR_MS } from '../config/limits'
import { openPrimary } from '../db/client'
import { mcpServers } from '../db/tables/mcp-servers'
import { tenants } from '../db/tables/tenants'
import { ApiError } from '../errors'
import { checkMcpServer } from '../mcp/check-mcp-server'
import { sendJobs } from '../platform/queue'
import { createTenantContext } from '../platform/system-actor'
import type { JobOf } from './job'

/** Asks a server that is new, changed or on again for its tools. Safe to run twice: the first list is pinned once. */
export async function askMcpServer(env: Env, job: JobOf<'mcp.check'>): Promise<void> {
  const ctx = await createTenantContext(env, 'jobs', job.tenantId)
  if (!ctx) return
  try {
    await checkMcpServer(ctx, job.serverId, false)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
  }
}

const STALE_MS = 20 * HOUR_MS

/** Once a night every server that is on is asked again, so that a changed tool is out of use within a day. */
export async function askStaleServers(env: Env, now: number): Promise<void> {
  const db = openPrimary(env.DB)
  const isStale = or(isNull(mcpServers.lastCheckedAt), lt(mcpServers.lastCheckedAt, now - STALE_MS))
  const stale = await db
    .select({ tenantId: mcpServers.tenantId, serverId: mcpServers.id })
    .from(mcpServers)
    .innerJoin(tenants, and(eq(tenants.id, mcpServers.tenantId), eq(tenants.status, 'active')))
    .where(and(eq(mcpServers.enabled, true), isStale))
  await sendJobs(
    env,
    stale.map((row) => ({ type: 'mcp.check', ...row })),
  )
}
