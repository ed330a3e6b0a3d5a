import { eq } from 'drizzle-orm'
import type { Language } from '../config/names'
import type { UserContext } from '../context'
import { pickOwn } from '../db/own'
import { users } from '../db/tables/users'

/** The language that the user registered with, null for one who came in another way. */
export async function readLanguage(ctx: UserContext): Promise<Language | null> {
  const row = await pickOwn(
    ctx.db,
    users,
    ctx.tenant.id,
    { lang: users.lang },
    eq(users.id, ctx.user.id),
  )
    .limit(1)
    .get()
  return row?.lang ?? null
}
