import { eq, sql } from 'drizzle-orm'
import type { BaseContext } from '../context'
import type { Db } from '../db/client'
import { deletions } from '../db/tables/deletions'
import { accounts, identities, oneTimeTokens, type UserRow, users } from '../db/tables/users'
import { deleteFiles, userKeyPath } from '../platform/files'
import { endSessions } from './end-sessions'

/** The mark, with every way to sign in. What named the person outside goes with it, so that the same name begins anew. */
export function endUser(
  db: Db,
  user: Pick<UserRow, 'tenantId' | 'id'>,
  by: { requestId: string; now: number },
) {
  const { id, tenantId } = user
  return [
    db
      .update(users)
      .set({ status: 'deleted', externalId: id, lang: null, tokenVersion: sql`token_version + 1` })
      .where(eq(users.id, id)),
    db.delete(accounts).where(eq(accounts.userId, id)),
    db.delete(identities).where(eq(identities.userId, id)),
    db.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, id)),
    db
      .insert(deletions)
      .values({ tenantId, userId: id, requestId: by.requestId, requestedAt: by.now })
      .onConflictDoNothing(),
  ] as const
}

/**
 * The user's objects hear of it first and forget the key for good, then it goes. An object that cannot be told now is
 * emptied by the job.
 */
export async function destroyUserKey(
  base: Pick<BaseContext, 'env' | 'db' | 'log'>,
  user: Pick<UserRow, 'tenantId' | 'id' | 'tokenVersion'>,
): Promise<void> {
  try {
    await endSessions(base, user, user.tokenVersion, true)
  } catch (error) {
    base.log.error('objects_not_told', error, { user_id: user.id })
  }
  await deleteFiles(base.env.FILES, [userKeyPath(user.tenantId, user.id)])
}
