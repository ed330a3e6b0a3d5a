import { eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { userProfiles } from '../db/tables/users'

/** The time zone that the user chose, or null. */
export async function readProfileZone(
  env: Pick<Env, 'DB'>,
  user: { tenantId: string; userId: string },
): Promise<string | null> {
  const db = openPrimary(env.DB)
  const own = eq(userProfiles.userId, user.userId)
  return (await findOwn(db, userProfiles, user.tenantId, own))?.prefTimezone ?? null
}
