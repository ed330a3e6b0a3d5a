import { and, eq, lte, ne } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { spaces } from '../db/tables/spaces'
import { type SpaceAddress, workIn } from '../platform/stubs'

/** Notes how many sessions a space holds, for lists that cannot ask every object. Of two counts the later one stays. */
export async function countSpace(env: Env, address: SpaceAddress): Promise<void> {
  await noteSessions(env, address, await workIn(env, address, 'space', 'countSessions'))
}

/** @param counted what the space's object said, and when. */
export async function noteSessions(
  env: Env,
  address: SpaceAddress,
  { sessions, at }: { sessions: number; at: number },
): Promise<void> {
  await openPrimary(env.DB)
    .update(spaces)
    .set({ sessionCount: sessions, countedAt: at })
    .where(
      and(
        eq(spaces.tenantId, address.tenantId),
        eq(spaces.id, address.spaceId),
        ne(spaces.sessionCount, sessions),
        lte(spaces.countedAt, at),
      ),
    )
}
