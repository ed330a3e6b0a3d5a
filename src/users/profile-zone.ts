import { and, eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { userProfiles } from '../db/tables'

/** The time zone that the user chose, or null. */
export async function readProfileZone(
  env: Pick<Env, 'DB'>,
  user: { tenantId: string; userId: string },
): Promise<string | null> {
  const own = and(eq(userProfiles.tenantId, user.tenantId), eq(userProfiles.userId, user.userId))
  const row = (
    await openPrimary(env.DB)
      .select({ zone: userProfiles.prefTimezone })
      .from(userProfiles)
      .where(own)
      .limit(1)
  )[0]
  return row?.zone ?? null
}
