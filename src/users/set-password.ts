import { eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import type { TenantContext } from '../context'
import { accounts } from '../db/tables/users'
import { notFound } from '../errors'
import { hashPassword } from '../platform/crypto/password'
import { endTokens, endWaysIn } from './end-tokens'
import { findAccountOf } from './find-account'
import { inHashLine } from './hash-line'

/**
 * Sets a native account's password for it; every token ends (rule AU11). @throws notFound for anybody who does not sign in by
 * e-mail and password.
 */
export async function setPassword(
  ctx: TenantContext,
  userId: string,
  newPassword: string,
): Promise<void> {
  const known = await findAccountOf(ctx.db, ctx.tenant.id, userId)
  if (known?.user.source !== 'email') throw notFound('User')
  const password = await inHashLine(ctx, (turn) => hashPassword(newPassword, turn))
  const written = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db
        .update(accounts)
        .set({ password, updatedAt: ctx.now })
        .where(eq(accounts.userId, userId)),
      ...endWaysIn(ctx.db, known.user),
    ],
    {
      action: 'update',
      entity: 'user',
      entityId: userId,
      entityName: null,
      before: { id: userId, password: { set: known.account.password !== null } },
      after: { id: userId, password: { set: true, changed: true } },
      requires: sql`EXISTS (SELECT 1 FROM accounts JOIN users ON users.id = accounts.user_id WHERE accounts.user_id = ${userId} AND users.status = 'active')`,
    },
  )
  if (!written) throw notFound('User')
  await endTokens(ctx, known.user)
}
