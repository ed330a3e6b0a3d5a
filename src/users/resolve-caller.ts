import { and, eq } from 'drizzle-orm'
import type { Actor, AppContext, BaseContext, SpaceIdentity, UserContext } from '../context'
import { findNear } from '../db/client'
import { findOwn } from '../db/own'
import { type SpaceRow, spaces } from '../db/tables/spaces'
import { type ApiKeyRow, apiKeys, type TenantRow, tenants } from '../db/tables/tenants'
import { type UserRow, users } from '../db/tables/users'
import { forbidden, invalidToken, lacksScope, notFound } from '../errors'
import type { VerifiedClaims } from '../platform/crypto/jwt'
import { sharedUserId } from '../platform/ids'
import { isolateCache } from '../platform/isolate-caches'
import { DEFAULT_SPACE } from '../spaces/default-space'
import { createUser, findOrCreateUser, type NewUser } from './create-user'
import { isHere } from './find-tenant'
import { firstFacts } from './user-facts'

interface KeyCaller {
  tenant: TenantRow
  key: ApiKeyRow
}

interface KnownUser {
  user: UserRow
  space: SpaceRow
}

const keyCallers = isolateCache<KeyCaller>()
const knownUsers = isolateCache<KnownUser>()
const knownTenants = isolateCache<TenantRow>()
const knownSpaces = isolateCache<SpaceRow>()

/**
 * The caller behind a tenant's key, with D1 (or what this isolate remembers of it) as the witness: a key that was revoked
 * in the last seconds is found out by `confirmCaller`, or when the turn is admitted.
 * @param readEndUser reads X-End-User; what it throws is thrown only after key and tenant were found good
 * @returns null for a key that is unknown, revoked, or of a deleted tenant
 * @throws ApiError 403 for a key without the scope `chat`, and for a suspended tenant.
 */
export async function resolveKeyApp(
  base: BaseContext,
  keyHash: string,
  readEndUser: () => string | null,
  readSpaceId: () => string | null,
): Promise<AppContext | null> {
  const endUser = attempt(readEndUser)
  const wanted = endUser.ok ? endUser.value : null
  const { caller, known } = await lookUp(base, keyHash, wanted)
  if (!caller || caller.key.revoked || caller.tenant.status === 'deleted') return null
  if (!isHere(base, caller.tenant.id)) return null
  const { tenant, key } = caller
  if (key.scopes !== null && !key.scopes.includes('chat')) throw lacksScope(['chat'])
  if (tenant.status !== 'active') throw forbidden('Tenant is not active')
  if (!endUser.ok) throw endUser.error

  const actor: Actor = { type: 'key', name: `key:${key.name}`, keyId: key.id }
  const withUser = async (fallback: string | null): Promise<UserContext> => {
    const externalId = wanted ?? fallback ?? sharedUserId(key.id)
    const found: NewUser = known ?? (await introduce(base, tenant, externalId, wanted !== null))
    const space = await chooseSpace(base, found.user, identify(found.space), readSpaceId())
    const { user } = found
    return Object.assign(base, {
      tenant,
      actor,
      via: 'api' as const,
      user: {
        id: user.id,
        source: user.source,
        externalId: user.externalId,
        tokenVersion: null,
        tokenExpiresAt: null,
      },
      space,
      spaceNamed: readSpaceId() !== null,
      byKey: true,
      ...(found.wrappedKey === undefined
        ? {}
        : { newcomer: { wrappedKey: found.wrappedKey, at: base.now, facts: firstFacts(user) } }),
    })
  }
  return Object.assign(base, {
    tenant,
    actor,
    via: 'api' as const,
    needsEndUser: wanted === null,
    token: null,
    withUser,
  })
}

/**
 * The caller behind an end user's token, which names user and default space itself: only the tenant is read, and a space
 * that is not the default one. @throws ApiError 401 for a token of another site or a deleted tenant, 403 for a suspended one.
 */
export async function resolveTokenApp(
  base: BaseContext,
  claims: VerifiedClaims,
  readSpaceId: () => string | null,
): Promise<AppContext> {
  const tenant = await findTenant(base, claims.tenant)
  if (!tenant || tenant.status === 'deleted' || !isHere(base, tenant.id)) throw invalidToken()
  if (tenant.status !== 'active') throw forbidden('Tenant is not active')
  const actor: Actor = { type: 'user', name: `user:${claims.user}`, keyId: null }
  const home = { id: claims.space, tag: claims.tag, isDefault: true }
  const withUser = async (): Promise<UserContext> => {
    const user = { id: claims.user, tenantId: claims.tenant }
    return Object.assign(base, {
      tenant,
      actor,
      via: 'api' as const,
      user: {
        id: claims.user,
        source: claims.source,
        externalId: claims.user,
        tokenVersion: claims.version,
        tokenExpiresAt: claims.expiresAt,
      },
      space: await chooseSpace(base, user, home, readSpaceId()),
      spaceNamed: readSpaceId() !== null,
      byKey: false,
    })
  }
  return Object.assign(base, {
    tenant,
    actor,
    via: 'api' as const,
    needsEndUser: false,
    token: { user: claims.user, version: claims.version, home },
    withUser,
  })
}

/** Reads key, tenant, user and default space in one round trip; in none when this isolate has them from the last seconds. */
async function lookUp(base: BaseContext, keyHash: string, endUser: string | null) {
  const caller = keyCallers.get(keyHash, base.now)
  if (caller) {
    const known =
      endUser === null
        ? undefined
        : knownUsers.get(userCacheKey(caller.tenant.id, endUser), base.now)
    if (endUser === null || known) return { caller, known }
  }
  const row = await findNear(base.env.DB, (db) =>
    db
      .select({ tenant: tenants, key: apiKeys, user: users, space: spaces })
      .from(apiKeys)
      .innerJoin(tenants, eq(tenants.id, apiKeys.tenantId))
      .leftJoin(
        users,
        and(
          eq(users.tenantId, apiKeys.tenantId),
          eq(users.source, 'proxy'),
          eq(users.externalId, endUser ?? ''),
        ),
      )
      .leftJoin(spaces, DEFAULT_SPACE)
      .where(eq(apiKeys.hash, keyHash))
      .limit(1)
      .get(),
  )
  if (!row) return { caller: undefined, known: undefined }
  const fresh = { tenant: row.tenant, key: row.key }
  keyCallers.set(keyHash, fresh, base.now)
  const known =
    row.user && row.space && row.user.status === 'active'
      ? { user: row.user, space: row.space }
      : undefined
  if (known && endUser !== null)
    knownUsers.set(userCacheKey(row.tenant.id, endUser), known, base.now)
  return { caller: fresh, known }
}

const userCacheKey = (tenantId: string, endUser: string) => `${tenantId} ${endUser}`

/** Finds or makes the user of an external id. @param lookedUp a replica was asked already and does not know the id */
async function introduce(
  base: BaseContext,
  tenant: TenantRow,
  externalId: string,
  lookedUp: boolean,
): Promise<NewUser> {
  const cacheKey = userCacheKey(tenant.id, externalId)
  const cached = knownUsers.get(cacheKey, base.now)
  if (cached) return cached
  if (base.readOnly) throw notFound('User')
  const find = lookedUp ? createUser : findOrCreateUser
  const found = await find(base, tenant, { source: 'proxy', externalId })
  knownUsers.set(cacheKey, { user: found.user, space: found.space }, base.now)
  return found
}

async function findTenant(
  base: BaseContext,
  tenantId: string,
): Promise<TenantRow | null | undefined> {
  const cached = knownTenants.get(tenantId, base.now)
  if (cached) return cached
  const row = await findNear(base.env.DB, (db) =>
    db.select().from(tenants).where(eq(tenants.id, tenantId)).limit(1).get(),
  )
  if (row) knownTenants.set(tenantId, row, base.now)
  return row
}

/** @throws ApiError 404 for a space that is not the user's. */
async function chooseSpace(
  base: BaseContext,
  user: { id: string; tenantId: string },
  home: SpaceIdentity,
  wanted: string | null,
): Promise<SpaceIdentity> {
  if (wanted === null || wanted === home.id) return home
  const cacheKey = `${user.id} ${wanted}`
  const cached = knownSpaces.get(cacheKey, base.now)
  if (cached) return identify(cached)
  const row = await findNear(base.env.DB, (db) =>
    findOwn(db, spaces, user.tenantId, eq(spaces.userId, user.id), eq(spaces.id, wanted)),
  )
  if (!row) throw notFound('Space')
  knownSpaces.set(cacheKey, row, base.now)
  return identify(row)
}

function identify(space: SpaceRow): SpaceIdentity {
  return { id: space.id, tag: space.tag, isDefault: space.isDefault }
}

function attempt<T>(read: () => T): { ok: true; value: T } | { ok: false; error: unknown } {
  try {
    return { ok: true, value: read() }
  } catch (error) {
    return { ok: false, error }
  }
}
