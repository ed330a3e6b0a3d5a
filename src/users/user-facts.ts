import { and, eq } from 'drizzle-orm'
import type { Language } from '../config/names'
import { configOf } from '../config/read-config'
import type { UserContext } from '../context'
import { openPrimary } from '../db/client'
import { listOwn, pickOwn } from '../db/own'
import { spaces } from '../db/tables/spaces'
import type { TenantRow } from '../db/tables/tenants'
import { type UserRow, userProfiles, users } from '../db/tables/users'
import { workIn } from '../platform/stubs'
import { UserFields } from './user-fields'

/** What the user told of themselves in their profile. */
export interface UserFacts {
  name: string | null
  city: string | null
  timezone: string | null
  /** The one that they registered in. */
  language: Language | null
  /** False for a visitor whom nobody vouches for. */
  registered: boolean
}

export const NO_FACTS: UserFacts = {
  name: null,
  city: null,
  timezone: null,
  language: null,
  registered: false,
}

/** What is known of a user who was made a moment ago. Pure. */
export const firstFacts = ({ lang, source }: Pick<UserRow, 'lang' | 'source'>): UserFacts => ({
  ...NO_FACTS,
  language: lang,
  registered: source !== 'anonymous',
})

/** What of the profile an agent may know: how to call the user, where they are and what they speak. */
export async function readUserFacts(
  env: Env,
  tenant: Pick<TenantRow, 'id' | 'wrappedKey'>,
  userId: string,
): Promise<UserFacts> {
  const profile = and(eq(userProfiles.tenantId, users.tenantId), eq(userProfiles.userId, users.id))
  const row = await pickOwn(
    openPrimary(env.DB),
    users,
    tenant.id,
    {
      prefName: userProfiles.prefName,
      city: userProfiles.prefCity,
      timezone: userProfiles.prefTimezone,
      language: users.lang,
      source: users.source,
    },
    eq(users.id, userId),
  )
    .leftJoin(userProfiles, profile)
    .limit(1)
    .get()
  if (!row) return NO_FACTS
  const { prefName, source, ...told } = row
  const facts = { ...told, registered: source !== 'anonymous' }
  if (prefName === null) return { name: null, ...facts }
  const fields = await UserFields.load({ env, config: configOf(env) }, tenant, userId)
  return { name: await fields.read('user_profiles', 'prefName', prefName), ...facts }
}

/** Every space of the user reads the profile anew with its next turn. */
export async function forgetUserFacts({ db, env, tenant, user }: UserContext): Promise<void> {
  const rows = await listOwn(db, spaces, tenant.id, [eq(spaces.userId, user.id)])
  const address = { tenantId: tenant.id, userId: user.id }
  await Promise.all(
    rows.map(({ id }) => workIn(env, { ...address, spaceId: id }, 'space', 'forgetProfile')),
  )
}
