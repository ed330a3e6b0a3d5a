import { eq, inArray, or } from 'drizzle-orm'
import type { SpaceIdentity, UserContext } from '../context'
import { type Db, openReplica } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { type SpaceRow, spaces, spaceTags } from '../db/tables'
import { notFound } from '../errors'
import { tagOf } from '../platform/ids'
import { isolateCache } from '../platform/isolate-caches'

const known = isolateCache<SpaceIdentity>()

/**
 * The space that an id of a session, message, attachment or reminder belongs to. None of D1 is needed when it is the
 * caller's current space.
 * @param resource names what is absent in the refusal. @throws notFound when the space is not the caller's.
 */
export async function findSpaceByTag(
  ctx: UserContext,
  id: string,
  resource: string,
): Promise<SpaceIdentity> {
  const tag = tagOf(id)
  if (tag === ctx.space.tag) return ctx.space
  const cacheKey = `${ctx.user.id} ${tag}`
  const cached = known.get(cacheKey, ctx.now)
  if (cached) return refuseOther(ctx, cached, resource)
  // What a copy does not know may have been made a moment ago.
  const row =
    (await readByTag(ctx, tag, openReplica(ctx.env.DB))) ?? (await readByTag(ctx, tag, ctx.db))
  if (!row) throw notFound(resource)
  const space = { id: row.id, tag: row.tag, isDefault: row.isDefault }
  known.set(cacheKey, space, ctx.now)
  return refuseOther(ctx, space, resource)
}

async function readByTag(ctx: UserContext, tag: number, db: Db): Promise<SpaceRow | undefined> {
  const ofMerged = pickOwn(
    db,
    spaceTags,
    ctx.tenant.id,
    { id: spaceTags.spaceId },
    eq(spaceTags.tag, tag),
  )
  return findOwn(
    db,
    spaces,
    ctx.tenant.id,
    eq(spaces.userId, ctx.user.id),
    or(eq(spaces.tag, tag), inArray(spaces.id, ofMerged)),
  )
}

/** The id's space wins over the default one; an X-Space-Id that contradicts it is 404. */
function refuseOther(ctx: UserContext, space: SpaceIdentity, resource: string): SpaceIdentity {
  if (ctx.spaceNamed && ctx.space.id !== space.id) throw notFound(resource)
  return space
}
