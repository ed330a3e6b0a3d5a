import { and, asc, eq } from 'drizzle-orm'
import { openReplica } from '../db/client'
import { type AgentRow, agents } from '../db/tables'
import type { TenantContext } from '../http/context'

/** Oldest first: the order in which a default is chosen. */
export function listPublishedAgents(ctx: TenantContext): Promise<AgentRow[]> {
  return openReplica(ctx.env.DB)
    .select()
    .from(agents)
    .where(and(eq(agents.tenantId, ctx.tenant.id), eq(agents.published, true)))
    .orderBy(asc(agents.createdAt), asc(agents.id))
}
