import { eq } from 'drizzle-orm'
import type { UserContext } from '../context'
import { pickOwn } from '../db/own'
import { spaces } from '../db/tables/spaces'
import { users } from '../db/tables/users'
import { notFound } from '../errors'
import { DEFAULT_SPACE } from '../spaces/default-space'
import type { NewUser } from './create-user'

/** The caller's own rows as they are now. @throws notFound for one who is gone. */
export async function findSelf(ctx: UserContext): Promise<NewUser> {
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
  return row
}
