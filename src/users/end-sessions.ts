import { eq } from 'drizzle-orm'
import type { BaseContext } from '../context'
import { pickOwn } from '../db/own'
import { spaces } from '../db/tables/spaces'
import { userSpace } from '../platform/stubs'

/**
 * Tells the user's objects that tokens below this version are dead, which ends their streams too.
 * @param forgetKey the user is gone: nothing of theirs may be read again.
 */
export async function endSessions(
  base: Pick<BaseContext, 'env' | 'db'>,
  user: { tenantId: string; id: string },
  tokenVersion: number,
  forgetKey: boolean,
): Promise<void> {
  const rows = await pickOwn(
    base.db,
    spaces,
    user.tenantId,
    { id: spaces.id },
    eq(spaces.userId, user.id),
  )
  await Promise.all(
    rows.map(({ id }) =>
      userSpace(base.env, { tenantId: user.tenantId, userId: user.id, spaceId: id }).revoke(
        tokenVersion,
        forgetKey,
      ),
    ),
  )
}
