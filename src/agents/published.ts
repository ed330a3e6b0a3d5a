import { asc, eq } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { findNear, openReplica } from '../db/client'
import { findOwn, selectOwn } from '../db/own'
import { type AgentRow, agents } from '../db/tables/agents'
import { notFound } from '../errors'

/** Oldest first: the order in which a default is chosen. */
export function listPublishedAgents(ctx: TenantContext): Promise<AgentRow[]> {
  return selectOwn(
    openReplica(ctx.env.DB),
    agents,
    ctx.tenant.id,
    eq(agents.published, true),
  ).orderBy(asc(agents.createdAt), asc(agents.id))
}

/** @throws notFound, also for a draft. */
export async function getPublishedAgent(ctx: TenantContext, name: string): Promise<AgentRow> {
  const row = await findNear(ctx.env.DB, (db) =>
    findOwn(db, agents, ctx.tenant.id, eq(agents.name, name), eq(agents.published, true)),
  )
  if (!row) throw notFound('Agent')
  return row
}
