import { eq } from 'drizzle-orm'
import { OUTAGE_RETRY_S } from '../../config/limits'
import type { ProviderName } from '../../config/names'
import type { BaseContext } from '../../context'
import { pickOwn } from '../../db/own'
import { messageOf } from '../../db/sql-errors'
import { spaces } from '../../db/tables/spaces'
import type { TenantRow } from '../../db/tables/tenants'
import { identities, users } from '../../db/tables/users'
import { unavailable } from '../../errors'
import { deriveSubjectIndexKey, subjectIndex } from '../../platform/crypto/blind-index'
import { tenantKey } from '../../platform/secrets'
import { DEFAULT_SPACE } from '../../spaces/default-space'
import { addUser, insertUser, type NewUser } from '../create-user'
import { findAccount, findAccountOf, indexEmail } from '../find-account'
import { startFresh } from '../start-fresh'
import type { ProviderUser } from './providers'

const TRIES = 3

export interface SignedIn extends NewUser {
  emailVerified: boolean
}

/**
 * The user behind a person at a provider. Known by the provider's id first; else linked to the account of the address, only
 * where both sides have confirmed it; else new. An unconfirmed account for the address ends and the owner starts fresh (AU9).
 */
export async function resolveIdentity(
  base: BaseContext,
  tenant: TenantRow,
  provider: ProviderName,
  person: ProviderUser,
): Promise<SignedIn> {
  const key = await deriveSubjectIndexKey(await tenantKey(base.config, tenant))
  const subject = await subjectIndex(key, provider, person.subject)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const known = await findIdentity(base, tenant, provider, subject)
    if (known) return known
    try {
      return await introduce(base, tenant, { provider, subject }, person.verifiedEmail)
    } catch (error) {
      // Two sign-ins of one person at once: the other one has made what is found now.
      if (!messageOf(error).includes('UNIQUE')) throw error
    }
  }
  throw unavailable(undefined, OUTAGE_RETRY_S)
}

async function introduce(
  base: BaseContext,
  tenant: TenantRow,
  identity: { provider: ProviderName; subject: string },
  email: string | null,
): Promise<SignedIn> {
  if (email === null) return makeUser(base, tenant, identity)
  const emailIndex = await indexEmail(base, tenant, email)
  const holder = await findAccount(base.db, tenant.id, emailIndex)
  if (holder?.account.emailVerified) {
    await base.db
      .insert(identities)
      .values({ ...identity, tenantId: tenant.id, userId: holder.user.id, createdAt: base.now })
    return { ...holder, emailVerified: true }
  }
  const owner = {
    source: identity.provider,
    email,
    emailIndex,
    password: null,
    identity,
    lang: holder?.user.lang ?? null,
  }
  return { ...(await startFresh(base, tenant, owner, holder)), emailVerified: true }
}

/** A person without a confirmed address: known by the provider alone. */
async function makeUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: { provider: ProviderName; subject: string },
): Promise<SignedIn> {
  const { db, now: createdAt } = base
  const made = await addUser(base, tenant, { source: identity.provider }, (made) => {
    const row = { ...identity, tenantId: tenant.id, userId: made.user.id, createdAt }
    return [...insertUser(db, made), db.insert(identities).values(row)]
  })
  return { ...made, emailVerified: false }
}

async function findIdentity(
  base: BaseContext,
  tenant: TenantRow,
  provider: ProviderName,
  subject: string,
): Promise<SignedIn | null> {
  const row = await pickOwn(
    base.db,
    identities,
    tenant.id,
    { user: users, space: spaces },
    eq(identities.provider, provider),
    eq(identities.subject, subject),
    eq(users.status, 'active'),
  )
    .innerJoin(users, eq(users.id, identities.userId))
    .innerJoin(spaces, DEFAULT_SPACE)
    .limit(1)
    .get()
  if (!row) return null
  const account = await findAccountOf(base.db, tenant.id, row.user.id)
  return { ...row, emailVerified: account?.account.emailVerified ?? false }
}
