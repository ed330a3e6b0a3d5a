import { and, eq } from 'drizzle-orm'
import type { UserContext } from '../context'
import { spaces, users } from '../db/tables'
import { notFound } from '../errors'
import { type IssuedToken, issueToken } from './issue-token'

/** A token for the browser of the user that a tenant's server vouches for. */
export async function issueProxyToken(ctx: UserContext): Promise<IssuedToken> {
  const row = (
    await ctx.db
      .select({ user: users, space: spaces })
      .from(users)
      .innerJoin(spaces, and(eq(spaces.userId, users.id), eq(spaces.isDefault, true)))
      .where(
        and(
          eq(users.tenantId, ctx.tenant.id),
          eq(users.id, ctx.user.id),
          eq(users.status, 'active'),
        ),
      )
      .limit(1)
  )[0]
  if (!row) throw notFound('User')
  return issueToken(ctx, row, false)
}
