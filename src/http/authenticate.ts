import { eq } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import { LIMITS } from '../config/limits'
import type { AppContext, AppEnv, BaseContext } from '../context'
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
import { hashApiKey } from '../platform/crypto/api-key'
import { equalSecrets } from '../platform/crypto/compare'
import { verifyUserToken } from '../platform/crypto/jwt'
import { ExpiringMap } from '../platform/expiring-map'
import { jwtRing } from '../platform/secrets'
import { addressMeter, tenantMeter } from '../platform/stubs'
import { noteKeyUse } from '../tenants/note-key-use'
import { confirmCaller } from '../users/confirm-caller'
import { resolveKeyApp, resolveTokenApp } from '../users/resolve-caller'
import { clientAddress } from './base-context'
import {
  type Presented,
  readCredentials,
  readEndUser,
  readSpaceId,
  requireKeyForm,
} from './credentials'
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

const authenticateOperator: MiddlewareHandler<AppEnv> = async (c, next) => {
  const base = c.get('base')
  const presented = readCredentials(c.req.raw.headers)
  if (presented.adminToken === null) throw notAuthenticated()
  await requireOperator(c, base, presented.adminToken)
  c.set(
    'operator',
    Object.assign(base, {
      actor: { type: 'operator' as const, name: 'operator', keyId: null },
      via: 'api' as const,
    }),
  )
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
  const base = c.get('base')
  const accepted = method === 'GET' || readable ? ['manage', 'read'] : ['manage']
  const adopted = c.get('adopted')
  if (adopted) {
    requireScope(adopted.actor.scopes ?? null, accepted)
    c.set('tenant', Object.assign(base, adopted))
    return next()
  }
  const presented = readCredentials(c.req.raw.headers)
  if (presented.adminToken !== null) {
    await requireOperator(c, base, presented.adminToken)
    if (presented.actTenant === null) throw notAuthenticated()
    const tenant = await base.db
      .select()
      .from(tenants)
      .where(eq(tenants.id, presented.actTenant))
      .limit(1)
      .get()
    if (!tenant || tenant.status === 'deleted') throw notFound('Tenant')
    c.set(
      'tenant',
      Object.assign(base, {
        tenant,
        actor: { type: 'operator' as const, name: 'operator', keyId: null },
        via: 'api' as const,
      }),
    )
    return next()
  }
  if (presented.apiKey === null) throw notAuthenticated()
  const { tenant, key } = await lookUpKey(c, base, presented.apiKey)
  requireScope(key.scopes, accepted)
  requireActive(tenant)
  c.set(
    'tenant',
    Object.assign(base, {
      tenant,
      actor: {
        type: 'key' as const,
        name: `key:${key.name}`,
        keyId: key.id,
        scopes: key.scopes,
      },
      // A word of the caller's, for the audit trail alone: nothing is allowed or refused by it.
      via: c.req.header('x-client') === 'console' ? ('console' as const) : ('api' as const),
    }),
  )
  await next()
}

async function lookUpKey(c: Context<AppEnv>, base: BaseContext, plaintext: string) {
  if (!wellFormed(plaintext)) await refuseKey(c)
  const holder = await findHolder(base, await hashApiKey(plaintext))
  if (!holder || holder.key.revoked || holder.tenant.status === 'deleted') return refuseKey(c)
  base.waitUntil(noteKeyUse(base.env, holder.key.id, base.now))
  return holder
}

interface KeyHolder {
  tenant: TenantRow
  key: ApiKeyRow
}

/** Whom this isolate let in, with what had changed until it asked. */
const letIn = new ExpiringMap<KeyHolder & { changes: number }>(LIMITS.keyTtlMs)

/**
 * Rule CL10: management reads the primary. Who may come in is remembered for a second from before that read on, and not
 * beyond any write of a key or a tenant by this isolate: what is revoked or suspended here is refused at once.
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

function wellFormed(plaintext: string): boolean {
  try {
    requireKeyForm(plaintext)
    return true
  } catch {
    return false
  }
}

async function refuseKey(c: Context<AppEnv>): Promise<never> {
  await countFailure(c, 'badKeys')
  throw invalidApiKey()
}

/** @throws ApiError 429 once an address has failed too often. */
async function countFailure(c: Context<AppEnv>, name: 'badKeys' | 'badAdminTokens'): Promise<void> {
  const rate = c.get('base').config.rates[name]
  const result = await addressMeter(c.env, name, clientAddress(c)).take([{ name, ...rate }])
  if (!result.ok) throw rateLimited(result.retryAfterS)
}

export function requireScope(scopes: string[] | null, accepted: string[]): void {
  if (scopes !== null && !scopes.some((scope) => accepted.includes(scope))) {
    throw lacksScope(accepted)
  }
}

export function requireActive(tenant: Pick<TenantRow, 'status'>): void {
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
 * A turn's caller is confirmed by the objects that admit it. One that is refused before it comes so far is confirmed here:
 * who may not call at all hears that and nothing else, and only refused calls pay for it.
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

/** After validation: looks up the user and the space. Only here is a user made who is seen first; a refused request makes nobody. */
export function identifyUser(route: Route): MiddlewareHandler<AppEnv> | null {
  if (route.layer !== 'user') return null
  return async (c, next) => {
    const app = c.get('app')
    if (!route.beginsTurn) {
      const { keyId } = app.actor
      // With what a turn used the meter notes the key: before its answer nothing is written.
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
  const presented: Presented = readCredentials(headers)
  if (presented.adminToken !== null) throw notAuthenticated()
  if (presented.token !== null) {
    if (route.keyOnly) throw invalidToken()
    const claims = await verifyUserToken(jwtRing(base.config), presented.token, base.now)
    if (!claims) throw invalidToken()
    return resolveTokenApp(base, claims, () => readSpaceId(headers))
  }
  if (presented.apiKey === null) throw notAuthenticated()
  if (!wellFormed(presented.apiKey)) await refuseKey(c)
  const app = await resolveKeyApp(
    base,
    await hashApiKey(presented.apiKey),
    () => readEndUser(headers),
    () => readSpaceId(headers),
  )
  if (!app) return refuseKey(c)
  return app
}

/** Windows that are counted before the body is parsed, per tenant. */
export function limitRate(route: Route): MiddlewareHandler<AppEnv> | null {
  const name = route.rate
  if (!name) return null
  return async (c, next) => {
    const rate = c.get('base').config.rates[name]
    const meter =
      route.layer === 'tenant'
        ? tenantMeter(c.env, c.get('tenant').tenant.id)
        : addressMeter(c.env, name, clientAddress(c))
    const result = await meter.take([{ name, ...rate }])
    if (!result.ok) throw rateLimited(result.retryAfterS)
    await next()
  }
}
