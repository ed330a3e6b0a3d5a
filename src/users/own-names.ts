import { eq } from 'drizzle-orm'
import type { UserContext } from '../context'
import { pickOwn } from '../db/own'
import { users } from '../db/tables/users'

/**
 * What a token does not tell of its user: the language of the registration, null for one who came in another way, and what
 * a tenant that vouches for them calls them.
 */
export async function readOwnNames({ db, tenant, user }: UserContext) {
  const columns = { lang: users.lang, externalId: users.externalId }
  const row = await pickOwn(db, users, tenant.id, columns, eq(users.id, user.id)).limit(1).get()
  return row ?? { lang: null, externalId: user.externalId }
}
