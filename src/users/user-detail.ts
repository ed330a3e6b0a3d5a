import { eq } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { selectOwn } from '../db/own'
import type { SpaceRow } from '../db/tables/spaces'
import { accounts, userProfiles } from '../db/tables/users'
import { tenantMeter } from '../platform/stubs'
import { presentSpace } from '../spaces/manage-spaces'
import { askAsTenant, getUser, listUserSpaces } from '../spaces/user-spaces'
import { isoOf } from '../time'
import { openProfile, type Profile } from './profile'
import { readTokens24h } from './tokens-24h'
import { UserFields } from './user-fields'

const RECENT = 10
const NO_PROFILE: Profile = {
  prefName: null,
  contactEmail: null,
  contactPhone: null,
  prefCity: null,
  prefTimezone: null,
}

interface Reference {
  type: 'session' | 'document'
  id: string
  title: string | null
  at: number
}

/** All that 2.7 of the specification names. The counts come from the user's objects and are exact. @throws notFound. */
export async function describeUser(ctx: TenantContext, id: string) {
  await tenantMeter(ctx.env, ctx.tenant.id).flush(ctx.tenant.id)
  const [user, spaces] = await Promise.all([getUser(ctx, id), listUserSpaces(ctx, id)])
  const [held, known, tokens24h] = await Promise.all([
    Promise.all(spaces.map((space) => lookInto(ctx, space))),
    openOwnWords(ctx, id),
    readTokens24h(ctx.db, user, ctx.now),
  ])
  const sum = (count: (one: (typeof held)[number]) => number) =>
    held.reduce((total, one) => total + count(one), 0)
  return {
    id: user.id,
    external_user_id: user.externalId,
    pref_name: known.profile.prefName,
    created_at: isoOf(user.createdAt),
    space_count: spaces.length,
    session_count: sum((one) => one.sessions),
    document_count: sum((one) => one.documents),
    auth: user.source,
    email: known.email,
    email_verified: known.emailVerified,
    tokens_24h: tokens24h,
    spaces: spaces.map(presentSpace),
    contact_email: known.profile.contactEmail,
    contact_phone: known.profile.contactPhone,
    pref_city: known.profile.prefCity,
    pref_timezone: known.profile.prefTimezone,
    consent: known.consent,
    recent_refs: held
      .flatMap((one) => one.references)
      .sort((one, other) => other.at - one.at)
      .slice(0, RECENT)
      .map(({ at, ...reference }) => ({ ...reference, at: isoOf(at) })),
  }
}

/** How much a space holds, and what was touched last. In privacy mode without titles. */
async function lookInto(ctx: TenantContext, space: SpaceRow) {
  const [held, sessions, documents] = await Promise.all([
    askAsTenant(ctx, space, 'space', 'count'),
    askAsTenant(ctx, space, 'sessions', 'list', null, RECENT),
    askAsTenant(ctx, space, 'documents', 'list', null, RECENT),
  ])
  const shown = (title: string | null) => (ctx.tenant.privacyMode ? null : title)
  const references: Reference[] = [
    ...sessions.map((view) => ({
      type: 'session' as const,
      id: view.id,
      title: shown(view.title),
      at: view.updatedAt,
    })),
    ...documents.map((view) => ({
      type: 'document' as const,
      id: view.id,
      title: shown(view.name),
      at: view.createdAt,
    })),
  ]
  return { ...held, references }
}

async function openOwnWords(ctx: TenantContext, userId: string) {
  const [[account], [profile]] = await Promise.all([
    selectOwn(ctx.db, accounts, ctx.tenant.id, eq(accounts.userId, userId)).limit(1),
    selectOwn(ctx.db, userProfiles, ctx.tenant.id, eq(userProfiles.userId, userId)).limit(1),
  ])
  if (!account && !profile)
    return { email: null, emailVerified: null, profile: NO_PROFILE, consent: null }
  const fields = await UserFields.load(ctx, ctx.tenant, userId)
  return {
    email: account ? await fields.read('accounts', 'email', account.email) : null,
    emailVerified: account?.emailVerified ?? null,
    profile: profile ? await openProfile(fields, profile) : NO_PROFILE,
    consent: profile?.consentAt
      ? { at: isoOf(profile.consentAt), text_hash: profile.consentHash ?? '' }
      : null,
  }
}
