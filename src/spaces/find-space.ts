import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SpaceIdentity, UserContext } from '../context'
import { type Db, findNear } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { type SpaceRow, spaceMerges, spaces, spaceTags } from '../db/tables/spaces'
import { notFound } from '../errors'
import { tagOf } from '../platform/ids'
import { dropIsolateCaches, isolateCache } from '../platform/isolate-caches'

const known = isolateCache<SpaceIdentity>()

/**
 * The caller's space that an id of a session, message, attachment or reminder was made in. D1 is not asked when that is
 * the space of the request.
 * @param resource what the 404 says is absent
 * @param anew ignores what this isolate remembers
 * @throws notFound when no space of the caller has the id's tag.
 */
export async function findSpaceByTag(
  ctx: UserContext,
  id: string,
  resource: string,
  anew = false,
): Promise<SpaceIdentity> {
  const tag = tagOf(id)
  if (tag === ctx.space.tag && !anew) return ctx.space
  const cacheKey = `${ctx.user.id} ${tag}`
  const cached = anew ? undefined : known.get(cacheKey, ctx.now)
  if (cached) return refuseOther(ctx, cached, resource)
  const row = await findNear(ctx.env.DB, (db) =>
    readSpaceOfTag(db, ctx.tenant.id, tag, eq(spaces.userId, ctx.user.id)),
  )
  if (!row) throw notFound(resource)
  const { id: spaceId, isDefault, home } = row
  const space = { id: spaceId, tag: row.tag, isDefault, ...(home && { home }) }
  known.set(cacheKey, space, ctx.now)
  return refuseOther(ctx, space, resource)
}

/** @throws notFound when the caller's space is gone, whatever this isolate remembers of it. */
export async function requireSpace(ctx: UserContext): Promise<void> {
  const own = [eq(spaces.id, ctx.space.id), eq(spaces.userId, ctx.user.id)]
  if (await findOwn(ctx.db, spaces, ctx.tenant.id, ...own)) return
  dropIsolateCaches()
  throw notFound('Space')
}

/**
 * The tenant's space that holds what ids with this tag name. After a merge that is the target; between the merge's commit
 * and its end still the source, whose object has the data until then, with the target as its `home`.
 */
export async function readSpaceOfTag(
  db: Db,
  tenantId: string,
  tag: number,
  ...conditions: (SQL | undefined)[]
): Promise<(SpaceRow & Pick<SpaceIdentity, 'home'>) | undefined> {
  const ofTag = pickOwn(db, spaces, tenantId, { id: spaces.id }, eq(spaces.tag, tag))
  const ofMerged = pickOwn(
    db,
    spaceTags,
    tenantId,
    { id: spaceTags.spaceId },
    eq(spaceTags.tag, tag),
  )
  const columns = {
    space: spaces,
    source: { id: spaceMerges.sourceId, tag: spaceMerges.sourceTag },
  }
  const row = await pickOwn(
    db,
    spaces,
    tenantId,
    columns,
    // One of the two, and by the id: as a choice of conditions it would be looked for among all of the tenant's spaces.
    sql`${spaces.id} = coalesce(${ofTag}, ${ofMerged})`,
    ...conditions,
  )
    .leftJoin(spaceTags, and(eq(spaceTags.tag, tag), eq(spaceTags.spaceId, spaces.id)))
    .leftJoin(
      spaceMerges,
      and(eq(spaceMerges.id, spaceTags.mergeId), eq(spaceMerges.state, 'committed')),
    )
    .limit(1)
    .get()
  if (!row) return undefined
  const { space, source } = row
  if (!source?.tag) return space
  const home = { id: space.id, isDefault: space.isDefault }
  return { ...space, id: source.id, tag: source.tag, isDefault: false, home }
}

/** Without X-Space-Id the id's space counts; an X-Space-Id that names another one makes it 404. */
function refuseOther(ctx: UserContext, space: SpaceIdentity, resource: string): SpaceIdentity {
  const { id, home } = space
  if (ctx.spaceNamed && ctx.space.id !== id && ctx.space.id !== home?.id) throw notFound(resource)
  return space
}
