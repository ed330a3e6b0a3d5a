import { eq } from 'drizzle-orm'
import type { UserContext } from '../context'
import { pickOwn } from '../db/own'
import { spaces, users } from '../db/tables'
import { notFound } from '../errors'
import { DEFAULT_SPACE } from '../spaces/default-space'
import { type IssuedToken, issueToken } from './issue-token'

/** A token for the browser of the user that a tenant's server vouches for. */
export async function issueProxyToken(ctx: UserContext): Promise<IssuedToken> {
  const row = await pickOwn(
    ctx.db,
    users,
    ctx.tenant.id,
    { user: users, space: spaces },
    eq(users.id, ctx.user.id),
    eq(users.status, 'active'),
  )
    .innerJoin(spaces, DEFAULT_SPACE)
    .limit(1)
    .get()
  if (!row) throw notFound('User')
  return issueToken(ctx, row, false)
}
