import { eq } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import { LIMITS, type RateName } from '../config/limits'
import type { Actor, AppContext, AppEnv, BaseContext, TenantContext } from '../context'
import { callerChanges } from '../db/guard-d1'
import { type ApiKeyRow, apiKeys, type TenantRow, tenants } from '../db/tables/tenants'
import {
  ApiError,
  forbidden,
  invalidApiKey,
  invalidToken,
  lacksScope,
  notAuthenticated,
  notFound,
  rateLimited,
} from '../errors'
import { checkApiKeyForm, hashApiKey } from '../platform/crypto/api-key'
import { equalSecrets } from '../platform/crypto/compare'
import { verifyUserToken } from '../platform/crypto/jwt'
import { ExpiringMap } from '../platform/expiring-map'
import { jwtRing } from '../platform/secrets'
import { addressMeter, tenantMeter } from '../platform/stubs'
import { noteKeyUse } from '../tenants/note-key-use'
import { confirmCaller } from '../users/confirm-caller'
import { resolveKeyApp, resolveTokenApp } from '../users/resolve-caller'
import { clientAddress } from './base-context'
import { readCredentials, readEndUser, readSpaceId } from './credentials'
import type { Layer, Route } from './route'

/** Turns what the request presents into the context of the route's layer, or refuses. */
export function authenticate(route: Route): MiddlewareHandler<AppEnv> {
  const byLayer: Record<Layer, MiddlewareHandler<AppEnv>> = {
    public: (_c, next) => next(),
    operator: authenticateOperator,
    tenant: (c, next) => authenticateTenant(c, next, route),
    user: (c, next) => authenticateUser(c, next, route),
    app: async (c, next) => {
      c.set('app', await authenticateApp(c, route))
      await next()
    },
  }
  return byLayer[route.layer]
}

const OPERATOR: Actor = { type: 'operator', name: 'operator', keyId: null }

const authenticateOperator: MiddlewareHandler<AppEnv> = async (c, next) => {
  const base = c.get('base')
  const { adminToken } = readCredentials(c.req.raw.headers)
  if (adminToken === null) throw notAuthenticated()
  await requireOperator(c, base, adminToken)
  c.set('operator', Object.assign(base, { actor: { ...OPERATOR }, via: 'api' as const }))
  await next()
}

async function requireOperator(
  c: Context<AppEnv>,
  base: BaseContext,
  token: string,
): Promise<void> {
  if (await equalSecrets(token, base.config.adminToken)) return
  await countFailure(c, 'badAdminTokens')
  throw new ApiError('invalid_credential', 'Invalid admin token')
}

async function authenticateTenant(
  c: Context<AppEnv>,
  next: () => Promise<void>,
  { method, readable }: Route,
): Promise<void> {
  const accepted = method === 'GET' || readable ? ['manage', 'read'] : ['manage']
  c.set('tenant', Object.assign(c.get('base'), await findManager(c, accepted)))
  await next()
}

/** For which tenant a management call is, and what its audit entry says of who made it. */
type Manager = Pick<TenantContext, 'tenant' | 'actor' | 'via'>

/** @param accepted scopes of a key any of which would do; the operator needs none. */
async function findManager(c: Context<AppEnv>, accepted: string[]): Promise<Manager> {
  const adopted = c.get('adopted')
  if (adopted) {
    requireScope(adopted.actor.scopes ?? null, accepted)
    return adopted
  }
  const { adminToken, actTenant, apiKey } = readCredentials(c.req.raw.headers)
  if (adminToken !== null) return actAsTenant(c, adminToken, actTenant)
  if (apiKey === null) throw notAuthenticated()
  const { tenant, key } = await lookUpKey(c, c.get('base'), apiKey)
  requireScope(key.scopes, accepted)
  requireActive(tenant)
  return {
    tenant,
    actor: { type: 'key', name: `key:${key.name}`, keyId: key.id, scopes: key.scopes },
    // The caller's own word, for the audit trail alone: nothing is allowed or refused by it.
    via: c.req.header('x-client') === 'console' ? 'console' : 'api',
  }
}

/** The operator in a tenant's place (X-Admin-Token with X-Act-Tenant), also in that of a suspended one. */
async function actAsTenant(
  c: Context<AppEnv>,
  adminToken: string,
  tenantId: string | null,
): Promise<Manager> {
  const base = c.get('base')
  await requireOperator(c, base, adminToken)
  if (tenantId === null) throw notAuthenticated()
  const tenant = await base.db.select().from(tenants).where(eq(tenants.id, tenantId)).limit(1).get()
  if (!tenant || tenant.status === 'deleted') throw notFound('Tenant')
  return { tenant, actor: { ...OPERATOR }, via: 'api' }
}

/** @throws ApiError 401 for a key that is malformed, unknown, revoked, or of a deleted tenant. */
async function lookUpKey(
  c: Context<AppEnv>,
  base: BaseContext,
  plaintext: string,
): Promise<KeyHolder> {
  if (!checkApiKeyForm(plaintext)) await refuseKey(c)
  const holder = await findHolder(base, await hashApiKey(plaintext))
  if (!holder || holder.key.revoked || holder.tenant.status === 'deleted') return refuseKey(c)
  base.waitUntil(noteKeyUse(base.env, holder.key.id, base.now))
  return holder
}

interface KeyHolder {
  tenant: TenantRow
  key: ApiKeyRow
}

/** Key holders that this isolate let in lately, by the key's hash, with `callerChanges()` as it was before they were read. */
const letIn = new ExpiringMap<KeyHolder & { changes: number }>(LIMITS.keyTtlMs)

/**
 * Management reads the primary (rule CL10), but a key that was let in is not read again within `LIMITS.keyTtlMs`, unless
 * this isolate wrote any key or tenant since: what is revoked or suspended here is refused at once.
 */
async function findHolder(base: BaseContext, hash: string): Promise<KeyHolder | undefined> {
  const changes = callerChanges()
  const known = letIn.get(hash, base.now)
  if (known?.changes === changes) return known
  const row = await base.db
    .select({ tenant: tenants, key: apiKeys })
    .from(apiKeys)
    .innerJoin(tenants, eq(tenants.id, apiKeys.tenantId))
    .where(eq(apiKeys.hash, hash))
    .limit(1)
    .get()
  if (row && !row.key.revoked && row.tenant.status === 'active')
    letIn.set(hash, { ...row, changes }, base.now)
  return row
}

/** Counts the failed attempt against the caller's address. */
async function refuseKey(c: Context<AppEnv>): Promise<never> {
  await countFailure(c, 'badKeys')
  throw invalidApiKey()
}

/** @throws ApiError 429 once an address has failed too often. */
const countFailure = (c: Context<AppEnv>, name: 'badKeys' | 'badAdminTokens') =>
  countIn(c, addressMeter(c.env, name, clientAddress(c)), name)

/** @param scopes of the key; null allows all. @throws ApiError 403 `scope_missing`. */
function requireScope(scopes: string[] | null, accepted: string[]): void {
  if (scopes !== null && !scopes.some((scope) => accepted.includes(scope))) {
    throw lacksScope(accepted)
  }
}

function requireActive(tenant: Pick<TenantRow, 'status'>): void {
  if (tenant.status !== 'active') throw forbidden('Tenant is not active')
}

/** Chat and /me: an end user's token, or a tenant key with X-End-User. Costs one D1 round trip cold and none warm. */
async function authenticateUser(
  c: Context<AppEnv>,
  next: () => Promise<void>,
  route: Route,
): Promise<void> {
  const app = await authenticateApp(c, route)
  if (app.needsEndUser) {
    // A key alone names no user.
    if (!route.asksEndUser) throw notAuthenticated()
    throw new ApiError('validation', [
      { type: 'missing', loc: ['header', 'x-end-user'], msg: 'Field required' },
    ])
  }
  c.set('app', app)
  await next()
}

/**
 * On routes that begin a turn, key, tenant and user are checked late: by the objects that admit the turn, which spares a
 * round trip. A request that is refused before it gets there (422, 404…) is checked here, so that somebody who may not
 * call at all hears only that.
 */
export function confirmRefused(route: Route): MiddlewareHandler<AppEnv> | null {
  if (!route.beginsTurn) return null
  return async (c, next) => {
    await next()
    if (c.error instanceof ApiError && TOLD_ONLY_TO_CALLERS.has(c.error.code))
      await confirmCaller(c.get('app'))
  }
}

const TOLD_ONLY_TO_CALLERS: ReadonlySet<ApiError['code']> = new Set([
  'bad_request',
  'forbidden',
  'not_found',
  'conflict',
  'unsupported_type',
  'validation',
])

/** After validation: looks up user and space. A user who is new is made here and nowhere earlier, so that a refused request makes nobody. */
export function identifyUser(route: Route): MiddlewareHandler<AppEnv> | null {
  if (route.layer !== 'user') return null
  return async (c, next) => {
    const app = c.get('app')
    if (!route.beginsTurn) {
      const { keyId } = app.actor
      // Not for turns: there the meter notes the key together with the usage, after the answer.
      if (keyId !== null) app.waitUntil(noteKeyUse(app.env, keyId, app.now))
      await confirmCaller(app)
    }
    c.set('user', await app.withUser(null))
    await next()
  }
}

async function authenticateApp(c: Context<AppEnv>, route: Route): Promise<AppContext> {
  const base = c.get('base')
  const headers = c.req.raw.headers
  const presented = readCredentials(headers)
  if (presented.adminToken !== null) throw notAuthenticated()
  if (presented.token !== null) {
    if (route.keyOnly) throw invalidToken()
    const claims = await verifyUserToken(jwtRing(base.config), presented.token, base.now)
    if (!claims) throw invalidToken()
    return resolveTokenApp(base, claims, () => readSpaceId(headers))
  }
  if (presented.apiKey === null) throw notAuthenticated()
  if (!checkApiKeyForm(presented.apiKey)) await refuseKey(c)
  const app = await resolveKeyApp(
    base,
    await hashApiKey(presented.apiKey),
    () => readEndUser(headers),
    () => readSpaceId(headers),
  )
  if (!app) return refuseKey(c)
  return app
}

/** Counts the call in its rate windows, before the body is parsed; `Route.rate` says in whose. */
export function limitRate(route: Route): MiddlewareHandler<AppEnv> | null {
  const name = route.rate
  if (!name) return null
  return async (c, next) => {
    if (route.layer === 'tenant') {
      await countIn(c, tenantMeter(c.env, c.get('tenant').tenant.id), name)
    } else {
      const app = c.get('app')
      if (app) {
        const who = app.token?.user ?? readEndUser(c.req.raw.headers)
        await countIn(c, tenantMeter(c.env, app.tenant.id), name, `${name} ${who}`)
      }
      // The address of a tenant's server is that of all its users.
      if (!app || app.token) await countIn(c, addressMeter(c.env, name, clientAddress(c)), name)
    }
    await next()
  }
}

/** Counts one call in a window. @throws rateLimited where it is full. */
async function countIn(
  c: Context<AppEnv>,
  meter: ReturnType<typeof tenantMeter>,
  rate: RateName,
  name: string = rate,
): Promise<void> {
  const result = await meter.take([{ ...c.get('base').config.rates[rate], name }])
  if (!result.ok) throw rateLimited(result.retryAfterS)
}
