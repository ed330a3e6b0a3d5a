import { eq } from 'drizzle-orm'
import { OUTAGE_RETRY_S } from '../config/limits'
import type { UserContext } from '../context'
import { openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { spaces } from '../db/tables/spaces'
import { ApiError, conflict, invalid, notFound, unavailable } from '../errors'
import { dropIsolateCaches } from '../platform/isolate-caches'
import { userSpace } from '../platform/stubs'
import { followSpace } from './ask-space'
import { getSpace, identifySpace } from './spaces'

/**
 * Moves all that a space holds into another one of the same user, sealed anew for it, and deletes the space. All or
 * nothing: what is cut off is rolled back, or carried through when it was committed.
 * @throws invalid for a merge into itself; notFound; conflict for the default space, a merge under way, a turn that does not
 * end, or more documents than a space may hold.
 */
export async function mergeSpace(
  ctx: UserContext,
  sourceId: string,
  targetId: string,
): Promise<void> {
  if (sourceId === targetId) {
    throw invalid(['body', 'target_space_id'], 'a space cannot be merged into itself')
  }
  const source = await getSpace(ctx, sourceId)
  const target = await findOwn(
    ctx.db,
    spaces,
    ctx.tenant.id,
    eq(spaces.userId, ctx.user.id),
    eq(spaces.id, targetId),
  )
  if (!target) throw notFound('Space')
  if (source.isDefault) throw conflict('The default space cannot be deleted')
  try {
    await followSpace(ctx, identifySpace(source), (caller) =>
      userSpace(ctx.env, caller.address).mergeInto(caller, identifySpace(target)),
    )
  } catch (error) {
    // The object may have died with the answer: the merge is done once the space is gone.
    const isRefusal = error instanceof ApiError && error.code !== 'unavailable'
    if (isRefusal || (await exists(ctx, source.id)))
      throw isRefusal ? error : unavailable(error, OUTAGE_RETRY_S)
  } finally {
    dropIsolateCaches()
  }
}

async function exists(ctx: UserContext, id: string): Promise<boolean> {
  const space = await findOwn(openPrimary(ctx.env.DB), spaces, ctx.tenant.id, eq(spaces.id, id))
  return space !== undefined
}
