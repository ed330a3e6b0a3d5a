import { and, asc, eq } from 'drizzle-orm'
import { openReplica } from '../db/client'
import { type AgentRow, agents } from '../db/tables'
import { notFound } from '../errors'
import type { TenantContext } from '../http/context'

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
  const [row] = await openReplica(ctx.env.DB)
    .select()
    .from(agents)
    .where(
      and(eq(agents.tenantId, ctx.tenant.id), eq(agents.name, name), eq(agents.published, true)),
    )
    .limit(1)
  if (!row) throw notFound('Agent')
  return row
}
