import { asc, eq } from 'drizzle-orm'
import { readShownNames } from '../agents/shown-names'
import type { TenantContext } from '../context'
import { findOwn, listOwn } from '../db/own'
import { channelLinks } from '../db/tables/channels'
import { type SpaceRow, spaces } from '../db/tables/spaces'
import { accounts, identities, userProfiles, users } from '../db/tables/users'
import { agentNamesOf } from '../spaces/spaces'
import { mailLanguage } from '../tenants/tenant-facts'
import { isoOf } from '../time'
import { openProfile } from '../users/profile'
import { UserFields } from '../users/user-fields'

/** What is kept of a user outside of their spaces, and the spaces; null for one who is gone. */
export async function collectAccount(ctx: TenantContext, userId: string) {
  const { db, tenant } = ctx
  const user = await findOwn(db, users, tenant.id, eq(users.id, userId), eq(users.status, 'active'))
  if (!user) return null
  const [fields, account, profile, signIns, links, rows] = await Promise.all([
    UserFields.load(ctx, tenant, userId),
    findOwn(db, accounts, tenant.id, eq(accounts.userId, userId)),
    findOwn(db, userProfiles, tenant.id, eq(userProfiles.userId, userId)),
    listOwn(db, identities, tenant.id, [eq(identities.userId, userId)]),
    listOwn(db, channelLinks, tenant.id, [eq(channelLinks.userId, userId)]),
    listOwn(db, spaces, tenant.id, [eq(spaces.userId, userId)], [asc(spaces.id)]),
  ])
  const shown = await readShownNames(ctx, mailLanguage(user, tenant))
  const namesOf = await agentNamesOf(ctx, rows)
  const own = profile ? await openProfile(fields, profile) : null
  return {
    spaces: rows,
    account: {
      id: user.id,
      external_user_id: user.externalId,
      auth: user.source,
      language: user.lang,
      created_at: isoOf(user.createdAt),
      last_active_at: isoOf(user.lastActiveAt),
      email: account ? await fields.read('accounts', 'email', account.email) : null,
      email_verified: account?.emailVerified ?? null,
      pref_name: own?.prefName ?? null,
      contact_email: own?.contactEmail ?? null,
      contact_phone: own?.contactPhone ?? null,
      pref_city: own?.prefCity ?? null,
      pref_timezone: own?.prefTimezone ?? null,
      consent: profile?.consentAt
        ? { at: isoOf(profile.consentAt), text_hash: profile.consentHash }
        : null,
      sign_in: signIns.map(({ provider, createdAt }) => ({
        provider,
        created_at: isoOf(createdAt),
      })),
      channels: links.map(({ channel, spaceId, createdAt }) => ({
        channel,
        space_id: spaceId,
        created_at: isoOf(createdAt),
      })),
      spaces: rows.map((row) => showSpace(row, namesOf(row), shown)),
    },
  }
}

function showSpace(row: SpaceRow, names: string[], shown: ReadonlyMap<string, string>) {
  return {
    id: row.id,
    name: row.name,
    is_default: row.isDefault,
    agents: names,
    agent_display_names: names.map((name) => shown.get(name) ?? name),
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  }
}
