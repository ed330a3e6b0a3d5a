import { and, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { untilCommitted } from '../audit/until-committed'
import type { Db } from '../db/client'
import { accounts, deletions, identities, oneTimeTokens, type UserRow, users } from '../db/tables'
import { notFound } from '../errors'
import type { BaseContext, TenantContext } from '../http/context'
import { isoOf } from '../http/time'
import { deleteFiles, userKeyPath } from '../platform/files'
import { sendJobs } from '../platform/queue'
import { endSessions } from './end-sessions'

/**
 * Cuts a user's access, destroys the user's key, and leaves the rest to the queue: once this returns nothing of the user can
 * be read again, also not in a copy of the databases from before. Safe to repeat until the key is gone. @throws notFound.
 */
export async function deleteUser(ctx: TenantContext, id: string): Promise<void> {
  const user = await untilCommitted(`user ${id}`, async () => {
    const before = await findUser(ctx, id)
    if (before.status === 'deleted') return before
    const { tokenVersion } = before
    const committed = await commitChange(
      ctx,
      ctx.tenant.id,
      endUser(ctx.db, before, { requestId: ctx.requestId, now: ctx.now }),
      {
        action: 'delete',
        entity: 'user',
        entityId: id,
        entityName: null,
        before: { id, auth: before.source, created_at: isoOf(before.createdAt) },
        after: null,
        requires: isActive(before),
      },
    )
    return committed ? { ...before, tokenVersion: tokenVersion + 1 } : null
  })
  await destroyUserKey(ctx, user)
  await sendJobs(ctx.env, [{ type: 'user.delete', tenantId: ctx.tenant.id, userId: id }])
}

/** @throws notFound, also for a user who is deleted as far as anybody can see. */
async function findUser(ctx: TenantContext, id: string): Promise<UserRow> {
  const own = and(eq(users.tenantId, ctx.tenant.id), eq(users.id, id))
  const row = (await ctx.db.select().from(users).where(own).limit(1))[0]
  if (!row) throw notFound('User')
  if (row.status === 'active') return row
  // Whoever was told that it failed may ask again.
  if (!(await ctx.env.FILES.head(userKeyPath(ctx.tenant.id, id)))) throw notFound('User')
  return row
}

export const isActive = (user: Pick<UserRow, 'tenantId' | 'id'>) =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${user.id} AND tenant_id = ${user.tenantId} AND status = 'active')`

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
