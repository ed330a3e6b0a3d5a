import { and, asc, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import {
  isActive,
  isThere,
  isUnchanged,
  nextUpdate,
  untilCommitted,
} from '../audit/until-committed'
import { LIMITS } from '../config/limits'
import type { TenantContext } from '../context'
import { countOwn, findOwn, pickOwn } from '../db/own'
import { type AgentRow, agents } from '../db/tables/agents'
import { deletions } from '../db/tables/deletions'
import { type SpaceRow, spaceAgents, spaces } from '../db/tables/spaces'
import { conflict, notFound } from '../errors'
import { newSpace, untilTagIsFree } from './new-space'
import { emptySpace, mergesOf, requireUnmerged, spaceAgentNames, tellOffer } from './spaces'
import { getSpaceOfTenant, getUser } from './user-spaces'

const TRIES = 5

/** Space as the contract shows it. */
export const presentSpace = ({ id, name, isDefault }: SpaceRow) => ({
  id,
  name,
  is_default: isDefault,
})

/** The same with whose it is, for whoever comes by its id alone. */
export const presentOwnedSpace = (space: SpaceRow) => ({
  ...presentSpace(space),
  user_id: space.userId,
})

/** The trail outlives the user, so it says which space changed and not what the user called it. */
const auditSpace = ({ id, userId, isDefault }: SpaceRow) => ({
  id,
  user_id: userId,
  is_default: isDefault,
})

/** @throws notFound; conflict when the user has 50 spaces. */
export async function createUserSpace(
  ctx: TenantContext,
  userId: string,
  name: string,
): Promise<SpaceRow> {
  const user = await getUser(ctx, userId)
  const owner = { tenantId: ctx.tenant.id, userId, name, isDefault: false }
  const store = async () => {
    const space = newSpace(owner, ctx.now)
    const isStored = await commitChange(ctx, ctx.tenant.id, [ctx.db.insert(spaces).values(space)], {
      action: 'create',
      entity: 'space',
      entityId: space.id,
      entityName: null,
      before: null,
      after: auditSpace(space),
      requires: sql`(SELECT count(*) FROM spaces WHERE tenant_id = ${ctx.tenant.id} AND user_id = ${userId}) < ${LIMITS.spacesPerUser} AND ${isActive(user)}`,
    })
    return isStored ? space : null
  }
  for (let attempt = 0; ; attempt++) {
    const made = await untilTagIsFree(store)
    if (made) return made
    await getUser(ctx, userId)
    const ofUser = eq(spaces.userId, userId)
    if ((await countOwn(ctx.db, spaces, ctx.tenant.id, ofUser)) >= LIMITS.spacesPerUser) {
      throw conflict(`A user has at most ${LIMITS.spacesPerUser} spaces; delete or merge one first`)
    }
    if (attempt >= TRIES) throw notFound('User')
  }
}

/** @throws notFound. */
export function renameUserSpace(ctx: TenantContext, id: string, name: string): Promise<SpaceRow> {
  return untilCommitted(`space ${id}`, async () => {
    const before = await getSpaceOfTenant(ctx, id)
    if (before.name === name) return before
    await requireUnmerged(ctx, before)
    const after = { ...before, name, updatedAt: nextUpdate(before, ctx.now) }
    const written = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .update(spaces)
          .set({ name, updatedAt: after.updatedAt })
          .where(and(eq(spaces.tenantId, ctx.tenant.id), eq(spaces.id, id))),
      ],
      {
        action: 'update',
        entity: 'space',
        entityId: id,
        entityName: null,
        before: auditSpace(before),
        after: { ...auditSpace(after), renamed: true },
        requires: isUnchanged(spaces, before),
      },
    )
    return written ? after : null
  })
}

/** Gone at once with all it holds; its object and its files are emptied in the background. @throws notFound; conflict for the default space. */
export async function deleteUserSpace(ctx: TenantContext, id: string): Promise<void> {
  const space = await untilCommitted(`space ${id}`, async () => {
    const before = await getSpaceOfTenant(ctx, id)
    if (before.isDefault) throw conflict('The default space cannot be deleted')
    await requireUnmerged(ctx, before)
    const committed = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db.delete(spaces).where(and(eq(spaces.tenantId, ctx.tenant.id), eq(spaces.id, id))),
        ctx.db
          .insert(deletions)
          .values({
            tenantId: ctx.tenant.id,
            userId: before.userId,
            spaceId: id,
            requestId: ctx.requestId,
            requestedAt: ctx.now,
          })
          .onConflictDoNothing(),
      ],
      {
        action: 'delete',
        entity: 'space',
        entityId: id,
        entityName: null,
        before: auditSpace(before),
        after: null,
        requires: sql`${isThere(spaces, before)} AND NOT EXISTS ${mergesOf(ctx, before)}`,
      },
    )
    return committed ? before : null
  })
  await emptySpace(ctx, space)
}

/** What a space offers its user, by name; drafts that were added to it stand in the list until they are published. */
export async function listSpaceAgents(ctx: TenantContext, spaceId: string): Promise<string[]> {
  return agentNames(ctx, await getSpaceOfTenant(ctx, spaceId))
}

async function agentNames(ctx: TenantContext, space: SpaceRow): Promise<string[]> {
  if (space.isDefault) return spaceAgentNames(ctx, space)
  const offered = eq(spaceAgents.spaceId, space.id)
  const rows = await pickOwn(ctx.db, spaceAgents, ctx.tenant.id, { name: agents.name }, offered)
    .innerJoin(agents, eq(agents.id, spaceAgents.agentId))
    .orderBy(asc(agents.name))
  return rows.map((row) => row.name)
}

/** An agent that the space offers already changes nothing; the default space offers every published one. @throws notFound. */
export async function offerAgent(
  ctx: TenantContext,
  spaceId: string,
  name: string,
): Promise<string[]> {
  const space = await getSpaceOfTenant(ctx, spaceId)
  const agent = await getAgentRow(ctx, name)
  if (!space.isDefault) {
    await requireUnmerged(ctx, space)
    const absent = sql`NOT EXISTS (SELECT 1 FROM space_agents WHERE space_id = ${spaceId} AND agent_id = ${agent.id})`
    const added = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .insert(spaceAgents)
          .values({ spaceId, tenantId: ctx.tenant.id, agentId: agent.id, createdAt: ctx.now }),
      ],
      {
        ...agentChange(space),
        after: { ...auditSpace(space), agent_added: agent.name },
        requires: sql`${absent} AND ${isThere(spaces, space)} AND ${isThere(agents, agent)}`,
      },
    )
    // Nothing was written where it was there already, or where one of the two has just gone: then this finds out.
    if (!added) {
      await getSpaceOfTenant(ctx, spaceId)
      await getAgentRow(ctx, name)
    }
    await tellOffer(ctx, space, agent.id, true)
  }
  return agentNames(ctx, space)
}

/** @throws notFound; conflict for the default space. */
export async function withdrawAgent(
  ctx: TenantContext,
  spaceId: string,
  name: string,
): Promise<void> {
  const space = await getSpaceOfTenant(ctx, spaceId)
  const agent = await getAgentRow(ctx, name)
  if (space.isDefault) throw conflict('The default space offers every published agent')
  await requireUnmerged(ctx, space)
  await tellOffer(ctx, space, agent.id, false)
  const removed = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db
        .delete(spaceAgents)
        .where(and(eq(spaceAgents.spaceId, spaceId), eq(spaceAgents.agentId, agent.id))),
    ],
    {
      ...agentChange(space),
      after: { ...auditSpace(space), agent_removed: agent.name },
      requires: sql`EXISTS (SELECT 1 FROM space_agents WHERE space_id = ${spaceId} AND agent_id = ${agent.id})`,
    },
  )
  if (!removed) throw notFound('Agent')
}

const agentChange = (space: SpaceRow) => ({
  action: 'update' as const,
  entity: 'space',
  entityId: space.id,
  entityName: null,
  before: auditSpace(space),
})

async function getAgentRow(ctx: TenantContext, name: string): Promise<AgentRow> {
  const row = await findOwn(ctx.db, agents, ctx.tenant.id, eq(agents.name, name))
  if (!row) throw notFound('Agent')
  return row
}
