import { and, asc, eq } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { openReplica } from '../db/client'
import { findOwn } from '../db/own'
import { type AgentRow, agents } from '../db/tables'
import { notFound } from '../errors'

/** Oldest first: the order in which a default is chosen. */
export function listPublishedAgents(ctx: TenantContext): Promise<AgentRow[]> {
  return openReplica(ctx.env.DB)
    .select()
    .from(agents)
    .where(and(eq(agents.tenantId, ctx.tenant.id), eq(agents.published, true)))
    .orderBy(asc(agents.createdAt), asc(agents.id))
}

/** @throws notFound, also for a draft. */
export async function getPublishedAgent(ctx: TenantContext, name: string): Promise<AgentRow> {
  const row = await findOwn(
    openReplica(ctx.env.DB),
    agents,
    ctx.tenant.id,
    eq(agents.name, name),
    eq(agents.published, true),
  )
  if (!row) throw notFound('Agent')
  return row
}
