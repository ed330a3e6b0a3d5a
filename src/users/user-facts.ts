import { and, eq } from 'drizzle-orm'

import { configOf } from '../config/read-config'
import type { UserContext } from '../context'
import { openPrimary } from '../db/client'
import { spaces, type TenantRow, userProfiles } from '../db/tables'
import { userSpace } from '../platform/stubs'
import { UserFields } from './user-fields'

/** What the user told of themselves in their profile. */
export interface UserFacts {
  name: string | null
  city: string | null
  timezone: string | null
}

export const NO_FACTS: UserFacts = { name: null, city: null, timezone: null }

/** What of the profile an agent may know: how to call the user, and where they are. */
export async function readUserFacts(
  env: Env,
  tenant: Pick<TenantRow, 'id' | 'wrappedKey'>,
  userId: string,
): Promise<UserFacts> {
  const own = and(eq(userProfiles.tenantId, tenant.id), eq(userProfiles.userId, userId))
  const [row] = await openPrimary(env.DB).select().from(userProfiles).where(own).limit(1)
  if (!row) return NO_FACTS
  const { prefName, prefCity: city, prefTimezone: timezone } = row
  if (prefName === null) return { name: null, city, timezone }
  const fields = await UserFields.load({ env, config: configOf(env) }, tenant, userId)
  return { name: await fields.open('user_profiles', 'prefName', prefName), city, timezone }
}

/** Every space of the user reads the profile anew with its next turn. */
export async function forgetUserFacts({ db, env, tenant, user }: UserContext): Promise<void> {
  const own = and(eq(spaces.tenantId, tenant.id), eq(spaces.userId, user.id))
  const rows = await db.select({ id: spaces.id }).from(spaces).where(own)
  const address = { tenantId: tenant.id, userId: user.id }
  await Promise.all(
    rows.map(({ id }) => userSpace(env, { ...address, spaceId: id }).forgetProfile()),
  )
}
