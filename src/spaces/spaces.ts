import { and, asc, eq, inArray, ne, notExists, or, sql } from 'drizzle-orm'
import { listPublishedAgents } from '../agents/published'
import { LIMITS } from '../config/limits'
import type { SpaceIdentity, TenantContext, UserContext } from '../context'
import { findOwn, listOwn, pickOwn } from '../db/own'
import { isGone } from '../db/sql-errors'
import { agents } from '../db/tables/agents'
import { deletions } from '../db/tables/deletions'
import { type SpaceRow, spaceAgents, spaceMerges, spaces } from '../db/tables/spaces'
import { conflict, notFound } from '../errors'
import { dropIsolateCaches } from '../platform/isolate-caches'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import { isoOf } from '../time'
import { askSpace } from './ask-space'
import { newSpace, untilTagIsFree } from './new-space'

export function listSpaces(ctx: UserContext): Promise<SpaceRow[]> {
  return listOwn(ctx.db, spaces, ctx.tenant.id, [eq(spaces.userId, ctx.user.id)], [asc(spaces.id)])
}

const ownSpaces = (ctx: UserContext) =>
  and(eq(spaces.tenantId, ctx.tenant.id), eq(spaces.userId, ctx.user.id))

/** @throws notFound for a space that is not the user's, and for one that X-Space-Id contradicts. */
export async function getSpace(ctx: UserContext, id: string): Promise<SpaceRow> {
  if (ctx.spaceNamed && ctx.space.id !== id) throw notFound('Space')
  const row = await findOwn(ctx.db, spaces, ctx.tenant.id, ownSpaces(ctx), eq(spaces.id, id))
  if (!row) throw notFound('Space')
  return row
}

/** @throws conflict when the user has 50 spaces. */
export async function createSpace(ctx: UserContext, name: string): Promise<SpaceRow> {
  const { tenant, user } = ctx
  const owner = { tenantId: tenant.id, userId: user.id, name, isDefault: false }
  const held = sql`(SELECT count(*) FROM spaces WHERE tenant_id = ${tenant.id} AND user_id = ${user.id})`
  return untilTagIsFree(async () => {
    const { id, tag } = newSpace(owner, ctx.now)
    const [space] = await ctx.db
      .insert(spaces)
      .select(sql`
        SELECT ${id}, ${tenant.id}, ${user.id}, ${name}, 0, ${tag}, 0, 0, ${ctx.now}, ${ctx.now}
        WHERE ${held} < ${LIMITS.spacesPerUser}`)
      .returning()
      .catch((error: unknown) => {
        // The user was deleted at this very moment.
        throw isGone(error) ? notFound('User') : error
      })
    if (space) return space
    throw conflict(`A user has at most ${LIMITS.spacesPerUser} spaces; delete or merge one first`)
  })
}

/** @throws notFound. */
export async function renameSpace(ctx: UserContext, id: string, name: string): Promise<SpaceRow> {
  const before = await getSpace(ctx, id)
  await requireUnmerged(ctx, before)
  await ctx.db
    .update(spaces)
    .set({ name, updatedAt: ctx.now })
    .where(and(ownSpaces(ctx), eq(spaces.id, id)))
  return { ...before, name, updatedAt: ctx.now }
}

/** The space is gone at once; what its object and its files hold follows in the background. @throws notFound; conflict for the default one. */
export async function deleteSpace(ctx: UserContext, id: string): Promise<void> {
  const space = await getSpace(ctx, id)
  if (space.isDefault) throw conflict('The default space cannot be deleted')
  const removable = and(ownSpaces(ctx), eq(spaces.id, id), notExists(mergesOf(ctx, space)))
  const [, removed] = await ctx.db.batch([
    ctx.db
      .insert(deletions)
      .select(
        pickOwn(
          ctx.db,
          spaces,
          ctx.tenant.id,
          {
            tenantId: spaces.tenantId,
            userId: spaces.userId,
            spaceId: spaces.id,
            requestId: sql<string>`${ctx.requestId}`.as('request_id'),
            removed: sql<null>`NULL`.as('removed'),
            requestedAt: sql<number>`${ctx.now}`.as('requested_at'),
            finishedAt: sql<null>`NULL`.as('finished_at'),
          },
          removable,
        ),
      )
      .onConflictDoNothing(),
    ctx.db.delete(spaces).where(removable).returning({ id: spaces.id }),
  ])
  if (removed.length === 0) await refuseRemoval(ctx, space)
  dropIsolateCaches()
  await emptySpace(ctx, space)
}

/** A space that is no longer in the directory: its object lets nobody in from now on, and is emptied in the background. */
export async function emptySpace(ctx: TenantContext, space: SpaceRow): Promise<void> {
  const address = addressOf(space)
  await workIn(ctx.env, address, 'space', 'leave').catch((error: unknown) =>
    ctx.log.error('space_not_told', error, { space_id: space.id }),
  )
  await sendJobs(ctx.env, [{ type: 'space.delete', ...address }])
}

const addressOf = ({ tenantId, userId, id }: SpaceRow) => ({ tenantId, userId, spaceId: id })

/**
 * Tells the space's object, which admits its turns: what other isolates remember of the space may be some seconds old. To
 * be called before an agent is withdrawn, and after it is offered.
 */
export function tellOffer(
  ctx: TenantContext,
  space: SpaceRow,
  agentId: string,
  isOffered: boolean,
): Promise<void> {
  const at = isOffered ? null : Date.now()
  return workIn(ctx.env, addressOf(space), 'space', 'withdrawAgent', agentId, at)
}

export const mergesOf = (ctx: TenantContext, { id, userId }: Pick<SpaceRow, 'id' | 'userId'>) =>
  pickOwn(
    ctx.db,
    spaceMerges,
    ctx.tenant.id,
    { id: spaceMerges.id },
    eq(spaceMerges.userId, userId),
    ne(spaceMerges.state, 'aborted'),
    or(eq(spaceMerges.sourceId, id), eq(spaceMerges.targetId, id)),
  )

/** @throws conflict while the space is part of a merge, as source or as target. */
export async function requireUnmerged(
  ctx: TenantContext,
  space: Pick<SpaceRow, 'id' | 'userId'>,
): Promise<void> {
  if ((await mergesOf(ctx, space)).length > 0) throw conflict('Space is being merged')
}

async function refuseRemoval(ctx: UserContext, space: SpaceRow): Promise<never> {
  await requireUnmerged(ctx, space)
  throw notFound('Space')
}

type Offering = Pick<SpaceRow, 'id' | 'isDefault'>

/**
 * Names of the agents that spaces offer, by their ids: every published one in the default space, else those added to it.
 * Asked at once, however many the spaces are.
 */
export async function agentNamesOf(
  ctx: TenantContext,
  rows: readonly Offering[],
): Promise<(space: Offering) => string[]> {
  const added = rows.filter(({ isDefault }) => !isDefault).map(({ id }) => id)
  const { spaceId } = spaceAgents
  const [published, offered] = await Promise.all([
    rows.length > added.length ? listPublishedAgents(ctx) : [],
    added.length === 0
      ? []
      : pickOwn(
          ctx.db,
          spaceAgents,
          ctx.tenant.id,
          { spaceId, name: agents.name },
          inArray(spaceId, added),
          eq(agents.published, true),
        )
          .innerJoin(agents, eq(agents.id, spaceAgents.agentId))
          .orderBy(asc(agents.name)),
  ])
  return ({ id, isDefault }) =>
    (isDefault ? published : offered.filter((one) => one.spaceId === id)).map(({ name }) => name)
}

export const spaceAgentNames = async (ctx: TenantContext, space: Offering): Promise<string[]> =>
  (await agentNamesOf(ctx, [space]))(space)

/** Adding to the default space changes nothing: it offers every published agent. @throws notFound for an unpublished agent. */
export async function addSpaceAgent(
  ctx: UserContext,
  spaceId: string,
  name: string,
): Promise<string[]> {
  const space = await getSpace(ctx, spaceId)
  const agent = await findPublished(ctx, name)
  if (!space.isDefault) {
    await requireUnmerged(ctx, space)
    await ctx.db
      .insert(spaceAgents)
      .values({ spaceId, tenantId: ctx.tenant.id, agentId: agent.id, createdAt: ctx.now })
      .onConflictDoNothing()
      .catch((error: unknown) => {
        // The space, or the agent, went at this very moment.
        throw isGone(error) ? notFound('Space') : error
      })
    dropIsolateCaches()
    await tellOffer(ctx, space, agent.id, true)
  }
  return spaceAgentNames(ctx, space)
}

/** @throws notFound; conflict for the default space. */
export async function removeSpaceAgent(
  ctx: UserContext,
  spaceId: string,
  name: string,
): Promise<void> {
  const space = await getSpace(ctx, spaceId)
  if (space.isDefault) throw conflict('The default space offers every published agent')
  await requireUnmerged(ctx, space)
  const agent = await findPublished(ctx, name)
  const offer = and(eq(spaceAgents.spaceId, spaceId), eq(spaceAgents.agentId, agent.id))
  await tellOffer(ctx, space, agent.id, false)
  const removed = await ctx.db.delete(spaceAgents).where(offer).returning()
  if (removed.length === 0) throw notFound('Agent')
  dropIsolateCaches()
}

async function findPublished(ctx: UserContext, name: string) {
  const row = await findOwn(
    ctx.db,
    agents,
    ctx.tenant.id,
    eq(agents.name, name),
    eq(agents.published, true),
  )
  if (!row) throw notFound('Agent')
  return row
}

/** Agents whose sources end users may see in full. */
export async function listOpenAgents(ctx: TenantContext): Promise<Set<string>> {
  const rows = await pickOwn(
    ctx.db,
    agents,
    ctx.tenant.id,
    { name: agents.name },
    sql`json_extract(${agents.config}, '$.public_sources') = 1`,
  )
  return new Set(rows.map((row) => row.name))
}

/** @param naming of the list that it is shown in */
export async function presentMySpace(
  ctx: UserContext,
  row: SpaceRow,
  naming = agentNamesOf(ctx, [row]),
) {
  const [namesOf, held] = await Promise.all([
    naming,
    askSpace(ctx, identifySpace(row), 'space', 'count'),
  ])
  return {
    id: row.id,
    name: row.name,
    is_default: row.isDefault,
    agents: namesOf(row),
    session_count: held.sessions,
    document_count: held.documents,
    created_at: isoOf(row.createdAt),
  }
}

export function identifySpace(row: SpaceRow): SpaceIdentity {
  return { id: row.id, tag: row.tag, isDefault: row.isDefault }
}
