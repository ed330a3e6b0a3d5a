import { eq } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isActive, untilCommitted } from '../audit/until-committed'
import type { TenantContext } from '../context'
import { findOwn } from '../db/own'
import { type UserRow, users } from '../db/tables/users'
import { notFound } from '../errors'
import { userKeyPath } from '../platform/files'
import { sendJobs } from '../platform/queue'
import { isoOf } from '../time'
import { destroyUserKey, endUser } from '../users/end-user'

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
  const row = await findOwn(ctx.db, users, ctx.tenant.id, eq(users.id, id))
  if (!row) throw notFound('User')
  if (row.status === 'active') return row
  // Whoever was told that it failed may ask again.
  if (!(await ctx.env.FILES.head(userKeyPath(ctx.tenant.id, id)))) throw notFound('User')
  return row
}
