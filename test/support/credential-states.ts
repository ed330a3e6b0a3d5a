import { SignJWT, UnsecuredJWT } from 'jose'
import type { Layer, Route } from '../../src/http/route'
import { toBase64url } from '../../src/platform/crypto/base64url'
import { utf8 } from '../../src/platform/crypto/bytes'
import { ADMIN_TOKEN } from './harness'
import { ABSENT_ID } from './route-examples'
import { JWT_RING, type Person, signToken, type World } from './world'

/** One exact refusal (security requirements, section 2). */
export interface Refusal {
  status: number
  body: unknown
  challenge?: true
}

const refusal = (status: number, detail: string): Refusal => ({ status, body: { detail } })
const lacks = (scopes: string): Refusal => ({
  status: 403,
  body: { detail: `This key lacks the scope ${scopes}`, code: 'scope_missing' },
})
export const REFUSALS = {
  none: { ...refusal(401, 'Not authenticated'), challenge: true },
  key: refusal(401, 'Invalid API key'),
  token: refusal(401, 'Invalid or expired token'),
  admin: refusal(401, 'Invalid admin token'),
  conflict: refusal(400, 'Conflicting credentials'),
  operator: refusal(403, 'Platform operator required'),
  inactive: refusal(403, 'Tenant is not active'),
  noTenant: refusal(404, 'Tenant not found'),
  noSpace: refusal(404, 'Space not found'),
  manage: lacks('manage'),
  manageOrRead: lacks('manage or read'),
  chat: lacks('chat'),
  noEndUser: {
    status: 422,
    body: { detail: [{ type: 'missing', loc: ['header', 'x-end-user'], msg: 'Field required' }] },
  },
  badEndUser: {
    status: 422,
    body: {
      detail: [
        {
          type: 'value_error',
          loc: ['header', 'x-end-user'],
          msg: 'Value error, 1 to 256 printable ASCII characters',
        },
      ],
    },
  },
  badSpace: {
    status: 422,
    body: {
      detail: [
        {
          type: 'uuid_parsing',
          loc: ['header', 'x-space-id'],
          msg: 'Input should be a valid UUID',
        },
      ],
    },
  },
} satisfies Record<string, Refusal>

/** `admitted`: the call goes through. */
export type Verdict = Refusal | 'admitted'

export interface CredentialState {
  name: string
  /** Header lines; a list is sent as that many lines of the same name. */
  headers: Record<string, string | string[]>
  query?: Record<string, string>
  verdict: (route: Route) => Verdict
  /** Whose objects the call is about. */
  who?: Person
  /** Tried under every path of a route, with a broken request, and with writes of its own. */
  core?: true
  /** One of many forms of the same: tried on a third of the routes, another third for each. */
  variant?: true
  /** Refused by the user's object, which is asked after validation. */
  late?: true
}

type ByLayer = Record<Exclude<Layer, 'public'>, Verdict>

/** Public routes look at no credential at all. */
const by =
  (layers: ByLayer) =>
  (route: Route): Verdict =>
    route.layer === 'public' ? 'admitted' : layers[route.layer]
const all = (verdict: Verdict) =>
  by({ operator: verdict, tenant: verdict, user: verdict, app: verdict })

/** Where a tenant key must stand behind the call, a token is refused whatever it says. */
function refuseTokens(state: CredentialState): CredentialState {
  const { authorization, ...others } = state.headers
  const isToken =
    typeof authorization === 'string' && /^Bearer [^.]+\.[^.]+\.[^.]+$/.test(authorization)
  const isAlone = ['x-api-key', 'x-admin-token', 'x-act-tenant'].every((name) => !(name in others))
  if (!isToken || !isAlone) return state
  return {
    ...state,
    verdict: (route) => (route.keyOnly ? REFUSALS.token : state.verdict(route)),
  }
}

/** The states that a route is tried with; a public one looks at none, so all of them are tried on the cheapest alone. */
export function statesFor(
  states: readonly CredentialState[],
  route: Route,
  index: number,
): CredentialState[] {
  if (route.layer === 'public' && route.path !== '/health')
    return states.filter((state) => state.core)
  const isCrowded = route.layer === 'tenant' || route.layer === 'user'
  return states.filter((state, n) => !isCrowded || !state.variant || (n + index) % 3 === 0)
}

/** Every state that the credential headers of a request can be in, with the verdict for each layer. */
export async function credentialStates(w: World): Promise<CredentialState[]> {
  const states = [
    ...absentStates(w),
    ...keyStates(w),
    ...scopeStates(w),
    ...(await tokenStates(w)),
    ...operatorStates(w),
    ...combinedStates(w),
    ...identityStates(w),
  ]
  return states.map(refuseTokens).map((state) => {
    if (CORE.has(state.name)) return { ...state, core: true }
    return EVERYWHERE.has(state.name) || state.late ? state : { ...state, variant: true }
  })
}

const EVERYWHERE = new Set([
  'repeated X-API-Key',
  'comma-joined Bearer',
  'key in the query string',
  'malformed key (Bearer)',
  'key with a wrong checksum (X-API-Key)',
  'deleted key (X-API-Key)',
  'key of a deleted tenant (Bearer)',
  'the same key twice',
  'key with scope manage (Bearer)',
  'token with an unknown key id',
  'token without algorithm',
  'token of a suspended tenant',
  'token of a deleted tenant',
  'X-Act-Tenant alone',
  'wrong admin token for a tenant',
  'two keys',
  'key without X-End-User',
  'empty X-End-User',
  'malformed X-Space-Id',
  'X-Space-Id of another user',
  'X-Space-Id of another tenant',
  'token, X-Space-Id of another user',
])

const CORE = new Set([
  'nothing',
  'unknown key (X-API-Key)',
  'revoked key (Bearer)',
  'key of a suspended tenant (Bearer)',
  'key (X-API-Key)',
  'key (Bearer)',
  'key with scope read (X-API-Key)',
  'key with scope chat (Bearer)',
  'token',
  'expired token',
  'admin token',
  'wrong admin token',
  'operator acting as the tenant',
  'X-Act-Tenant with a key',
  'key and token',
])

/** Both forms of a key, with the header that chat needs beside it. */
function bothForms(
  name: string,
  key: string,
  verdict: CredentialState['verdict'],
  who?: Person,
): CredentialState[] {
  const user = who ? { 'x-end-user': who.headers['x-end-user'] ?? '' } : { 'x-end-user': 'ada' }
  const rest = who ? { verdict, who } : { verdict }
  return [
    { name: `${name} (X-API-Key)`, headers: { 'x-api-key': key, ...user }, ...rest },
    { name: `${name} (Bearer)`, headers: { authorization: `Bearer ${key}`, ...user }, ...rest },
  ]
}

function absentStates(w: World): CredentialState[] {
  const { key } = w.own.tenant
  const { token } = w.own.visitor
  const none = all(REFUSALS.none)
  const user = { 'x-end-user': 'ada' }
  return [
    { name: 'nothing', headers: {}, verdict: none },
    { name: 'only X-End-User', headers: user, verdict: none },
    { name: 'empty X-API-Key', headers: { 'x-api-key': '', ...user }, verdict: none },
    { name: 'empty Authorization', headers: { authorization: '', ...user }, verdict: none },
    {
      name: 'Bearer without a value',
      headers: { authorization: 'Bearer', ...user },
      verdict: none,
    },
    {
      name: 'another scheme',
      headers: { authorization: `Basic ${btoa(`${key}:`)}`, ...user },
      verdict: none,
    },
    {
      name: 'Bearer with two values',
      headers: { authorization: `Bearer ${key} ${key}`, ...user },
      verdict: none,
    },
    { name: 'empty X-Admin-Token', headers: { 'x-admin-token': '' }, verdict: none },
    { name: 'repeated X-API-Key', headers: { 'x-api-key': [key, key], ...user }, verdict: none },
    {
      name: 'repeated Bearer key',
      headers: { authorization: [`Bearer ${key}`, `Bearer ${key}`], ...user },
      verdict: none,
    },
    {
      name: 'repeated Bearer token',
      headers: { authorization: [`Bearer ${token}`, `Bearer ${token}`] },
      verdict: none,
    },
    {
      name: 'repeated X-Admin-Token',
      headers: { 'x-admin-token': [ADMIN_TOKEN, ADMIN_TOKEN] },
      verdict: none,
    },
    {
      name: 'comma-joined X-API-Key',
      headers: { 'x-api-key': `${key},${key}`, ...user },
      verdict: none,
    },
    {
      name: 'comma-joined Bearer',
      headers: { authorization: `Bearer ${key},Bearer ${key}`, ...user },
      verdict: none,
    },
    {
      name: 'repeated X-Act-Tenant',
      headers: { 'x-admin-token': ADMIN_TOKEN, 'x-act-tenant': [w.own.tenant.id, w.own.tenant.id] },
      verdict: none,
    },
    {
      name: 'key beside a Bearer without a value',
      headers: { 'x-api-key': key, authorization: 'Bearer', ...user },
      verdict: none,
    },
    {
      name: 'token beside an empty X-API-Key',
      headers: { authorization: `Bearer ${token}`, 'x-api-key': '' },
      verdict: none,
    },
    {
      name: 'key in the query string',
      headers: user,
      query: { api_key: key, 'x-api-key': key, 'X-API-Key': key, key },
      verdict: none,
    },
    {
      name: 'token in the query string',
      headers: {},
      query: { access_token: token, token, authorization: `Bearer ${token}`, jwt: token },
      verdict: none,
    },
    {
      name: 'admin token in the query string',
      headers: {},
      query: {
        'x-admin-token': ADMIN_TOKEN,
        admin_token: ADMIN_TOKEN,
        'x-act-tenant': w.own.tenant.id,
      },
      verdict: none,
    },
  ]
}

function keyStates(w: World): CredentialState[] {
  const { key } = w.own.tenant
  const bad = by({
    operator: REFUSALS.none,
    tenant: REFUSALS.key,
    user: REFUSALS.key,
    app: REFUSALS.key,
  })
  const good = by({
    operator: REFUSALS.none,
    tenant: 'admitted',
    user: 'admitted',
    app: 'admitted',
  })
  const inactive = by({
    operator: REFUSALS.none,
    tenant: REFUSALS.inactive,
    user: REFUSALS.inactive,
    app: REFUSALS.inactive,
  })
  const wrongCrc = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  const otherBody = `${key.slice(0, 10)}${key[10] === 'a' ? 'b' : 'a'}${key.slice(11)}`
  return [
    ...bothForms('malformed key', 'pk_short', bad),
    ...bothForms('key with a wrong checksum', wrongCrc, bad),
    ...bothForms('key with a changed letter', otherBody, bad),
    ...bothForms('key and more', `${key}x`, bad),
    ...bothForms('unknown key', w.keys.unknown, bad),
    ...bothForms('revoked key', w.keys.revoked, bad),
    ...bothForms('deleted key', w.keys.deleted, bad),
    ...bothForms('key of a deleted tenant', w.deleted.key, bad),
    ...bothForms('key of a suspended tenant', w.suspended.key, inactive),
    ...bothForms('key', key, good, w.own.ada),
    {
      name: 'key, scheme in capitals, two blanks behind it',
      headers: { authorization: `BEARER  ${key}`, 'x-end-user': 'ada' },
      verdict: good,
      who: w.own.ada,
    },
    {
      name: 'the same key twice',
      headers: { 'x-api-key': key, authorization: `Bearer ${key}`, 'x-end-user': 'ada' },
      verdict: good,
      who: w.own.ada,
    },
    {
      name: 'not a key in X-API-Key',
      headers: { 'x-api-key': 'hello', 'x-end-user': 'ada' },
      verdict: bad,
    },
    { name: 'token in X-API-Key', headers: { 'x-api-key': w.own.visitor.token }, verdict: bad },
  ]
}

const mayRead = (route: Route) => route.method === 'GET' || route.readable === true

function scopeStates(w: World): CredentialState[] {
  const tenantScope = (route: Route) => (mayRead(route) ? REFUSALS.manageOrRead : REFUSALS.manage)
  const forLayer =
    (accepts: (route: Route) => Verdict) =>
    (route: Route): Verdict => {
      if (route.layer === 'public') return 'admitted'
      return route.layer === 'operator' ? REFUSALS.none : accepts(route)
    }
  return [
    ...bothForms(
      'key with scope chat',
      w.keys.chat,
      forLayer((route) => (route.layer === 'tenant' ? tenantScope(route) : 'admitted')),
      w.own.ada,
    ),
    ...bothForms(
      'key with scope manage',
      w.keys.manage,
      forLayer((route) => (route.layer === 'tenant' ? 'admitted' : REFUSALS.chat)),
      w.own.ada,
    ),
    ...bothForms(
      'key with scope read',
      w.keys.read,
      forLayer((route) => {
        if (route.layer !== 'tenant') return REFUSALS.chat
        return mayRead(route) ? 'admitted' : REFUSALS.manage
      }),
      w.own.ada,
    ),
  ]
}

async function tokenStates(w: World): Promise<CredentialState[]> {
  const { token, claims } = w.own.visitor
  const bad = by({
    operator: REFUSALS.none,
    tenant: REFUSALS.none,
    user: REFUSALS.token,
    app: REFUSALS.token,
  })
  const good = by({
    operator: REFUSALS.none,
    tenant: REFUSALS.none,
    user: 'admitted',
    app: 'admitted',
  })
  const inactive = by({
    operator: REFUSALS.none,
    tenant: REFUSALS.none,
    user: REFUSALS.inactive,
    app: REFUSALS.inactive,
  })
  const month = 31 * 24 * 3600 * 1000
  const bearer = (
    name: string,
    value: string,
    verdict: CredentialState['verdict'],
    who?: Person,
  ): CredentialState => ({
    name,
    headers: { authorization: `Bearer ${value}` },
    verdict,
    ...(who ? { who } : {}),
  })
  return [
    bearer('token', token, good, w.own.visitor),
    {
      ...bearer('token with an X-End-User that nobody vouches for', token, good, w.own.visitor),
      headers: { authorization: `Bearer ${token}`, 'x-end-user': 'ada' },
    },
    bearer('expired token', await signToken(claims, Date.now() - month), bad),
    bearer('token from the future', await signToken(claims, Date.now() + month), bad),
    ...[
      bearer(
        'token of an older version',
        await signToken({ ...claims, version: claims.version - 1 }),
        bad,
        w.own.visitor,
      ),
      bearer(
        'token of nobody',
        await signToken({ ...claims, user: ABSENT_ID, space: crypto.randomUUID() }),
        bad,
        w.own.visitor,
      ),
      bearer(
        'token of another tenant’s user',
        await signToken({ ...w.foreign.visitor.claims, tenant: w.own.tenant.id }),
        bad,
        w.foreign.visitor,
      ),
    ].map((state) => ({ ...state, late: true as const })),
    bearer('token of a deleted tenant', w.deleted.token, bad),
    bearer('token of a suspended tenant', w.suspended.token, inactive),
    bearer('token without algorithm', new UnsecuredJWT(decode(token)).encode(), bad),
    bearer('token with an unknown key id', await resign(token, { kid: 'other' }), bad),
    bearer(
      'token with a key in its header',
      await resign(token, { jwk: { kty: 'oct', k: 'AA' } }),
      bad,
    ),
    bearer('token of another type', await resign(token, { typ: 'at+jwt' }), bad),
    bearer(
      'token under another secret',
      await resign(token, {}, utf8('another-secret-of-more-than-32-bytes-0123')),
      bad,
    ),
    bearer(
      'token for another audience',
      await resign(token, {}, undefined, { aud: 'operator' }),
      bad,
    ),
    bearer('token with a changed claim', tamper(token), bad),
    bearer('three parts that are no token', 'a.b.c', bad),
    bearer('neither key nor token', 'hello', all(REFUSALS.token)),
    bearer('two parts', 'a.b', all(REFUSALS.token)),
  ]
}

function operatorStates(w: World): CredentialState[] {
  const act = w.own.tenant.id
  const admin = { 'x-admin-token': ADMIN_TOKEN }
  const wrong = by({
    operator: REFUSALS.admin,
    tenant: REFUSALS.admin,
    user: REFUSALS.none,
    app: REFUSALS.none,
  })
  return [
    { name: 'wrong admin token', headers: { 'x-admin-token': 'wrong' }, verdict: wrong },
    {
      name: 'wrong admin token for a tenant',
      headers: { 'x-admin-token': `${ADMIN_TOKEN}x`, 'x-act-tenant': act },
      verdict: wrong,
    },
    {
      name: 'admin token',
      headers: admin,
      verdict: by({
        operator: 'admitted',
        tenant: REFUSALS.none,
        user: REFUSALS.none,
        app: REFUSALS.none,
      }),
    },
    {
      name: 'operator acting as the tenant',
      headers: { ...admin, 'x-act-tenant': act },
      verdict: by({
        operator: 'admitted',
        tenant: 'admitted',
        user: REFUSALS.none,
        app: REFUSALS.none,
      }),
      who: w.own.ada,
    },
    ...[ABSENT_ID, 'no-tenant', w.deleted.id].map(
      (id): CredentialState => ({
        name: `operator acting as an absent tenant (${id})`,
        headers: { ...admin, 'x-act-tenant': id },
        verdict: by({
          operator: 'admitted',
          tenant: REFUSALS.noTenant,
          user: REFUSALS.none,
          app: REFUSALS.none,
        }),
      }),
    ),
    {
      name: 'X-Act-Tenant alone',
      headers: { 'x-act-tenant': act },
      verdict: all(REFUSALS.operator),
    },
    {
      name: 'X-Act-Tenant with a key',
      headers: { 'x-act-tenant': act, 'x-api-key': w.own.tenant.key, 'x-end-user': 'ada' },
      verdict: all(REFUSALS.operator),
    },
    {
      name: 'X-Act-Tenant with a token',
      headers: { 'x-act-tenant': act, authorization: `Bearer ${w.own.visitor.token}` },
      verdict: all(REFUSALS.operator),
    },
  ]
}

function combinedStates(w: World): CredentialState[] {
  const { key } = w.own.tenant
  const { token } = w.own.visitor
  const other = w.foreign.tenant.key
  const conflict = all(REFUSALS.conflict)
  const user = { 'x-end-user': 'ada' }
  return [
    {
      name: 'key and token',
      headers: { 'x-api-key': key, authorization: `Bearer ${token}`, ...user },
      verdict: conflict,
    },
    {
      name: 'key and a bad bearer',
      headers: { 'x-api-key': key, authorization: 'Bearer hello', ...user },
      verdict: conflict,
    },
    {
      name: 'two keys',
      headers: { 'x-api-key': key, authorization: `Bearer ${other}`, ...user },
      verdict: conflict,
    },
    {
      name: 'key and unknown key',
      headers: { 'x-api-key': key, authorization: `Bearer ${w.keys.unknown}`, ...user },
      verdict: conflict,
    },
    {
      name: 'malformed key and key',
      headers: { 'x-api-key': 'pk_short', authorization: `Bearer ${key}`, ...user },
      verdict: conflict,
    },
    {
      name: 'admin token and key',
      headers: { 'x-admin-token': ADMIN_TOKEN, 'x-api-key': key, ...user },
      verdict: conflict,
    },
    {
      name: 'admin token and bearer key',
      headers: { 'x-admin-token': ADMIN_TOKEN, authorization: `Bearer ${key}` },
      verdict: conflict,
    },
    {
      name: 'admin token and token',
      headers: { 'x-admin-token': ADMIN_TOKEN, authorization: `Bearer ${token}` },
      verdict: conflict,
    },
    {
      name: 'operator acting, and a key',
      headers: { 'x-admin-token': ADMIN_TOKEN, 'x-act-tenant': w.own.tenant.id, 'x-api-key': key },
      verdict: conflict,
    },
  ]
}

/** X-End-User and X-Space-Id, which only chat and /me look at. */
function identityStates(w: World): CredentialState[] {
  const { key } = w.own.tenant
  const forUsers = (user: Verdict, app: Verdict = user) =>
    by({ operator: REFUSALS.none, tenant: 'admitted', user, app })
  const forTokens = (verdict: Verdict) =>
    by({ operator: REFUSALS.none, tenant: REFUSALS.none, user: verdict, app: verdict })
  const asAda = { 'x-api-key': key, 'x-end-user': 'ada' }
  const asVisitor = { authorization: `Bearer ${w.own.visitor.token}` }
  const { ada, bob, visitor, sibling } = w.own
  const state = (
    name: string,
    headers: Record<string, string>,
    verdict: CredentialState['verdict'],
    who: Person,
  ): CredentialState => ({ name, headers, verdict, who })
  return [
    state(
      'key without X-End-User',
      { 'x-api-key': key },
      // A missing header on chat, where it is part of the request; elsewhere a key alone names nobody (rule CL5).
      (route) =>
        forUsers(route.tag === 'Chat' ? REFUSALS.noEndUser : REFUSALS.none, 'admitted')(route),
      ada,
    ),
    state(
      'empty X-End-User',
      { 'x-api-key': key, 'x-end-user': '' },
      forUsers(REFUSALS.badEndUser),
      ada,
    ),
    state(
      'X-End-User of 257 bytes',
      { 'x-api-key': key, 'x-end-user': 'u'.repeat(257) },
      forUsers(REFUSALS.badEndUser),
      ada,
    ),
    state(
      'X-End-User outside ASCII',
      { 'x-api-key': key, 'x-end-user': '\u00e9' },
      forUsers(REFUSALS.badEndUser),
      ada,
    ),
    state(
      'X-End-User with a tab',
      { 'x-api-key': key, 'x-end-user': 'a\tb' },
      forUsers(REFUSALS.badEndUser),
      ada,
    ),
    state(
      'malformed X-Space-Id',
      { ...asAda, 'x-space-id': 'default' },
      forUsers(REFUSALS.badSpace),
      ada,
    ),
    state(
      'absent X-Space-Id',
      { ...asAda, 'x-space-id': ABSENT_ID },
      forUsers(REFUSALS.noSpace),
      ada,
    ),
    state(
      'X-Space-Id of another user',
      { ...asAda, 'x-space-id': bob.spaceId },
      forUsers(REFUSALS.noSpace),
      ada,
    ),
    state(
      'X-Space-Id of another tenant',
      { ...asAda, 'x-space-id': w.foreign.ada.spaceId },
      forUsers(REFUSALS.noSpace),
      ada,
    ),
    state(
      'own X-Space-Id',
      { ...asAda, 'x-space-id': ada.spaceId.toUpperCase() },
      forUsers('admitted'),
      ada,
    ),
    state(
      'token, malformed X-Space-Id',
      { ...asVisitor, 'x-space-id': 'x' },
      forTokens(REFUSALS.badSpace),
      visitor,
    ),
    state(
      'token, X-Space-Id of another user',
      { ...asVisitor, 'x-space-id': sibling.spaceId },
      forTokens(REFUSALS.noSpace),
      visitor,
    ),
    state(
      'token, X-Space-Id of another tenant',
      { ...asVisitor, 'x-space-id': w.foreign.visitor.spaceId },
      forTokens(REFUSALS.noSpace),
      visitor,
    ),
    state(
      'token, own X-Space-Id',
      { ...asVisitor, 'x-space-id': visitor.spaceId },
      forTokens('admitted'),
      visitor,
    ),
  ]
}

function decode(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

function resign(
  token: string,
  header: Record<string, unknown>,
  secret: Uint8Array = JWT_RING.primary.bytes,
  claims: Record<string, unknown> = {},
): Promise<string> {
  return new SignJWT({ ...decode(token), ...claims })
    .setProtectedHeader({ alg: 'HS256', kid: JWT_RING.primary.id, typ: 'JWT', ...header })
    .sign(secret)
}

function tamper(token: string): string {
  const [head, , signature] = token.split('.')
  const body = toBase64url(utf8(JSON.stringify({ ...decode(token), ver: 1, sub: ABSENT_ID })))
  return `${head}.${body}.${signature}`
}
