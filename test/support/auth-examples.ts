import { mintOneTimeToken } from '../../src/platform/crypto/one-time-token'
import { makePng } from './image-bytes'
import type { Example } from './route-examples'
import { expectOk } from './seed'
import { freshName, type World } from './world'

const PASSWORD = 'correct horse battery'
const freshEmail = () => `${freshName('mail')}@people.example`
const tenantOf = (w: World) => ({ tenant_id: w.own.tenant.id })
const nothing = () => ({})
const tenantId = {
  in: 'body' as const,
  field: 'tenant_id',
  resource: 'Tenant',
  foreign: (w: World) => w.deleted.id,
  absent: '01890a5d-ac96-774b-bcce-b302099a8057',
}

const accounts = new WeakMap<World, Promise<{ email: string; userId: string }>>()

/** One account a world: making one costs a password hash. */
function ownAccount(w: World): Promise<{ email: string; userId: string }> {
  let account = accounts.get(w)
  if (!account) {
    account = makeAccount(w)
    accounts.set(w, account)
  }
  return account
}

async function makeAccount(w: World): Promise<{ email: string; userId: string }> {
  const email = freshEmail()
  const body = { ...tenantOf(w), email, password: PASSWORD }
  const { json } = await expectOk(w.parley.call('POST', '/auth/register', { body }))
  await w.db
    .prepare('UPDATE accounts SET email_verified = 1 WHERE user_id = ?')
    .bind(json.user_id)
    .run()
  return { email, userId: json.user_id }
}

/** A token as the mail would carry it. */
async function freshLink(w: World, purpose: 'verify' | 'reset'): Promise<string> {
  const { userId } = await ownAccount(w)
  const { token, hash } = await mintOneTimeToken()
  const now = Date.now()
  await w.db
    .prepare(
      'INSERT INTO one_time_tokens (id, hash, tenant_id, purpose, user_id, expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .bind(crypto.randomUUID(), hash, w.own.tenant.id, purpose, userId, now + 60_000, now)
    .run()
  return token
}

function picture(): FormData {
  const form = new FormData()
  form.set('file', new Blob([makePng(8, 8)]), 'logo.png')
  return form
}

async function withGoogle(w: World): Promise<void> {
  const body = { client_id: 'a', client_secret: 'b' }
  await expectOk(w.own.tenant.call('PUT', '/v1/tenant/oauth/google', body))
}

const google = { params: { provider: 'google' } }

export const AUTH_EXAMPLES: Record<string, Example> = {
  'GET /auth/methods': { fill: (w) => ({ query: tenantOf(w) }) },
  'POST /auth/register': {
    hashes: true,
    fill: (w) => ({ body: { ...tenantOf(w), email: freshEmail(), password: PASSWORD } }),
    refers: [tenantId],
  },
  'GET /auth/verify': {
    fill: async (w) => ({ query: { token: await freshLink(w, 'verify') } }),
    usesUp: true,
  },
  'POST /auth/resend-verification': {
    fill: (w) => ({ body: { ...tenantOf(w), email: freshEmail() } }),
    refers: [tenantId],
  },
  'POST /auth/forgot-password': {
    fill: (w) => ({ body: { ...tenantOf(w), email: freshEmail() } }),
    refers: [tenantId],
  },
  'POST /auth/reset-password': {
    hashes: true,
    fill: async (w) => ({
      body: { token: await freshLink(w, 'reset'), new_password: PASSWORD },
    }),
  },
  'POST /auth/login': {
    hashes: true,
    fill: async (w) => ({
      body: { ...tenantOf(w), email: (await ownAccount(w)).email, password: PASSWORD },
    }),
    refers: [tenantId],
  },
  'GET /auth/oauth/{provider}/start': {
    fill: async (w) => {
      await withGoogle(w)
      return { ...google, query: tenantOf(w) }
    },
  },
  'GET /auth/oauth/{provider}/callback': {
    fill: () => ({ ...google, query: { state: 'x', code: 'y' } }),
    unmet: { status: 400, body: { detail: 'Invalid or expired token' } },
  },
  'POST /v1/users/token': { fill: nothing },

  'GET /v1/tenant/settings': { fill: nothing },
  'PATCH /v1/tenant/settings': { fill: () => ({ body: { profile: { website: freshName('w') } } }) },
  'POST /v1/tenant/settings/logo': { fill: () => ({ form: picture() }) },
  'PUT /v1/tenant/settings/smtp': { fill: () => ({ body: { host: '' } }) },
  'POST /v1/tenant/settings/smtp/test': {
    fill: () => ({ query: { to: 'ada@people.example' } }),
    unmet: { status: 409, body: { detail: 'SMTP is not configured' } },
  },
  'PUT /v1/tenant/oauth/{provider}': {
    fill: () => ({ ...google, body: { client_id: 'a', client_secret: 'b' } }),
  },
  'DELETE /v1/tenant/oauth/{provider}': { fill: () => google },
  'PUT /v1/tenant/oauth/{provider}/enabled': {
    fill: () => ({ ...google, body: { enabled: true } }),
  },
  'GET /console': { fill: () => ({}) },
  'GET /login/{tenant}': { fill: (w) => ({ params: { tenant: w.own.tenant.alias } }) },
  'GET /logos/{tenant_id}/{file}': {
    fill: async (w) => {
      const { json } = await expectOk(
        w.own.tenant.call('POST', '/v1/tenant/settings/logo', picture()),
      )
      const [, , tenant_id = '', file = ''] = new URL(json.logo_url).pathname.split('/')
      return { params: { tenant_id, file } }
    },
    refers: [
      {
        in: 'params',
        field: 'tenant_id',
        resource: 'Logo',
        foreign: (w) => w.foreign.tenant.id,
        absent: '01890a5d-ac96-774b-bcce-b302099a8057',
      },
    ],
  },
}
