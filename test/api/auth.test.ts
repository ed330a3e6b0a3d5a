import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCertificates } from '../support/certificates'
import { type Answer, type Parley, startParley } from '../support/harness'
import {
  htmlText,
  MAIL_PASSWORD,
  MAIL_USER,
  type MailServer,
  plainText,
  type ReceivedMail,
  startMailServer,
  subjectOf,
} from '../support/mail-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const PASSWORD = 'correct horse battery'
const OK = { status: 'ok' }
const BAD_TOKEN = { detail: 'Invalid or expired token' }
const BAD_LOGIN = { detail: 'Invalid email or password' }
const HOUR_MS = 3_600_000

let parley: Parley
let mail: MailServer
let people = 0
const nextEmail = () => `person${++people}@people.example`

beforeAll(async () => {
  mail = await startMailServer('starttls', readCertificates())
  parley = await startParley({ EGRESS_ALLOW: mail.pair, PUBLIC_BASE: 'https://chat.example' })
})
afterAll(async () => {
  await parley.close()
  await mail.close()
})

async function mailingTenant(): Promise<SeededTenant> {
  const tenant = await seedTenant(parley, { name: 'Acme' })
  await expectOk(
    tenant.call('PUT', '/v1/tenant/settings/smtp', {
      host: '127.0.0.1',
      port: mail.port,
      user: MAIL_USER,
      password: MAIL_PASSWORD,
      from_addr: 'post@acme.example',
      starttls: true,
    }),
  )
  return tenant
}

const auth = (name: string, body: unknown, headers = {}): Promise<Answer> =>
  parley.call('POST', `/auth/${name}`, { body, headers })
const register = (tenant: SeededTenant, email: string, fields = {}, headers = {}) =>
  auth('register', { tenant_id: tenant.id, email, password: PASSWORD, ...fields }, headers)
const login = (tenant: SeededTenant, email: string, password = PASSWORD) =>
  auth('login', { tenant_id: tenant.id, email, password })
const verify = (token: string) => parley.call('GET', `/auth/verify?token=${token}`)
const reset = (token: string, new_password: string) =>
  auth('reset-password', { token, new_password })

const mailsTo = (email: string) => mail.mails.filter(({ to }) => to.includes(email))
const mailTo = (email: string, count = 1): Promise<ReceivedMail> =>
  waitFor(async () => mailsTo(email)[count - 1] ?? null)
async function linkTo(email: string, purpose: 'verify' | 'reset', count = 1): Promise<string> {
  const text = plainText(await mailTo(email, count))
  const [, token] =
    new RegExp(`https://chat\\.example/login/[^#]+#${purpose}=(\\S+)`).exec(text) ?? []
  if (!token) throw new Error(`No link in ${text}`)
  return token
}
async function registerVerified(tenant: SeededTenant, email: string): Promise<Answer> {
  const answer = await expectOk(register(tenant, email))
  await expectOk(verify(await linkTo(email, 'verify')))
  return answer
}
const chat = (token: string) =>
  parley.call('POST', '/v1/chat', {
    body: { message: 'Hello', agent: 'helper' },
    headers: { authorization: `Bearer ${token}` },
  })
const all = async (sql: string, ...values: unknown[]) => {
  const { DB } = await parley.worker.getEnv()
  return (
    await DB.prepare(sql)
      .bind(...values)
      .all<Record<string, unknown>>()
  ).results
}

describe('methods', () => {
  it('lists what a tenant has, and nothing for one that signs its people in itself', async () => {
    const tenant = await seedTenant(parley, { name: 'Acme' })
    const get = () => parley.call('GET', `/auth/methods?tenant_id=${tenant.id}`)
    expect((await get()).json).toEqual({
      tenant_id: tenant.id,
      name: 'Acme',
      logo_url: null,
      auth_mode: 'native',
      password: true,
      registration: true,
      oauth: [],
    })
    await tenant.call('PUT', '/v1/tenant/oauth/github', { client_id: 'a', client_secret: 'b' })
    expect((await get()).json.oauth).toEqual(['github'])
    await tenant.call('PATCH', '/v1/tenant/settings', { auth_mode: 'proxy' })
    expect((await get()).json).toMatchObject({
      auth_mode: 'proxy',
      password: false,
      registration: false,
      oauth: [],
    })
    expect((await parley.call('GET', `/v1/auth/methods?tenant_id=${tenant.id}`)).status).toBe(200)
    const absent = await parley.call(
      'GET',
      '/auth/methods?tenant_id=01890a5d-ac96-774b-bcce-b302099a8057',
    )
    expect([absent.status, absent.json]).toEqual([404, { detail: 'Tenant not found' }])
    expect((await parley.call('GET', '/auth/methods')).json.detail[0]).toEqual({
      type: 'missing',
      loc: ['query', 'tenant_id'],
      msg: 'Field required',
    })
    const unknown = await parley.call('GET', '/auth/methods?tenant_id=x')
    expect([unknown.status, unknown.json]).toEqual([404, { detail: 'Tenant not found' }])
  })

  it('takes a tenant by its alias wherever it is named', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { published: true })
    const { alias, id } = tenant
    const email = 'alias@example.com'
    const of = `tenant_id=${alias}`
    expect((await parley.call('GET', `/auth/methods?${of}`)).json.tenant_id).toBe(id)
    expect((await parley.call('GET', `/v1/agents/desk/opening?${of}`)).status).toBe(200)
    const account = { tenant_id: alias, email, password: 'a long password' }
    const named = { tenant_id: alias, email }
    for (const [path, body] of Object.entries({
      '/auth/anonymous': named,
      '/auth/register': account,
      '/auth/login': account,
      '/auth/forgot-password': named,
    }))
      expect([path, (await parley.call('POST', path, { body })).status]).toEqual([path, 200])
  })
})

describe('an account', () => {
  it('is made, confirmed by mail, and used', async () => {
    const tenant = await mailingTenant()
    await seedAgent(tenant, 'helper')
    const email = nextEmail()
    const { status, json, headers } = await register(tenant, `  ${email.toUpperCase()}  `, {
      pref_name: 'Ada',
      lang: 'es',
    })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(json).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: 604_800,
      user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email_verified: false,
    })
    expect((await chat(json.access_token)).status).toBe(200)
    expect((await login(tenant, email)).json.email_verified).toBe(false)
    const received = await mailTo(email.toUpperCase())
    expect(subjectOf(received)).toBe('Confirma tu correo electrónico para Acme')
    expect(received).toMatchObject({ from: 'post@acme.example', secure: true })
    expect(htmlText(received)).toContain('dir="ltr"')
    const token = await linkTo(email.toUpperCase(), 'verify')
    const confirmed = await verify(token)
    expect([confirmed.status, confirmed.json]).toEqual([200, OK])
    const again = await verify(token)
    expect([again.status, again.json]).toEqual([400, BAD_TOKEN])
    const { json: session } = await expectOk(login(tenant, email))
    expect(session).toMatchObject({ user_id: json.user_id, email_verified: true })
    expect((await chat(session.access_token)).status).toBe(200)
  })

  it('leaves no address, name, password or token readable in the database', async () => {
    const tenant = await mailingTenant()
    const email = nextEmail()
    const { json } = await expectOk(register(tenant, email, { pref_name: 'Adalbert' }))
    const token = await linkTo(email, 'verify')
    const tables = ['users', 'accounts', 'user_profiles', 'one_time_tokens', 'identities', 'audit']
    const rows = await Promise.all(
      tables.map((table) => all(`SELECT * FROM ${table} WHERE tenant_id = ?`, tenant.id)),
    )
    expect(rows.slice(0, 4).map((part) => part.length)).toEqual([1, 1, 1, 1])
    const text = JSON.stringify(rows)
    for (const secret of [email, 'Adalbert', PASSWORD, token, json.access_token]) {
      expect(text).not.toContain(secret)
    }
    expect(rows[1]?.[0]?.password).toMatch(/^\$scrypt\$ln=14,r=8,p=5\$/)
  })

  it('is one per tenant and address, whatever the spelling, also of two calls at once', async () => {
    const [tenant, other] = [await mailingTenant(), await mailingTenant()]
    const email = nextEmail()
    const both = await Promise.all([register(tenant, email), register(tenant, email.toUpperCase())])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.json).toEqual({
      detail: 'Email already registered',
    })
    expect((await register(tenant, email)).status).toBe(409)
    expect((await register(other, email)).status).toBe(200)
    expect(await all('SELECT * FROM users WHERE tenant_id = ?', tenant.id)).toHaveLength(1)
    const { FILES } = await parley.worker.getEnv()
    expect((await FILES.list({ prefix: `keys/${tenant.id}/` })).objects).toHaveLength(1)
  })

  it('takes mails and passwords by their rules, and never echoes them', async () => {
    const tenant = await seedTenant(parley)
    const bad: [object, string][] = [
      [{ email: 'nobody' }, 'email'],
      [{ email: 'a@b' }, 'email'],
      [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email'],
      [{ email: 'a@b.example, c@d.example' }, 'email'],
      [{ email: ['a@b.example'] }, 'email'],
      [{ password: 'short77' }, 'password'],
      [{ password: 'x'.repeat(257) }, 'password'],
      [{ password: 12345678 }, 'password'],
      [{ tenant_id: 7 }, 'tenant_id'],
      [{ pref_name: 'x'.repeat(81) }, 'pref_name'],
    ]
    for (const [fields, field] of bad) {
      const { status, json, text } = await register(tenant, nextEmail(), fields)
      expect([status, json.detail[0].loc]).toEqual([422, ['body', field]])
      expect(text).not.toMatch(/short77|xxxx|Bcc/)
    }
    const wide = await register(tenant, nextEmail(), { password: '🦜'.repeat(256) })
    expect(wide.status).toBe(200)
    // An id or an alias: what names no tenant is unknown, whatever its form.
    expect((await register(tenant, nextEmail(), { tenant_id: 'x' })).status).toBe(404)
    expect(
      (await auth('register', {})).json.detail.map((one: { type: string }) => one.type),
    ).toEqual(['missing', 'missing', 'missing'])
  })

  it('remembers which visitor it was, and takes no other token for one', async () => {
    const [tenant, other] = [await mailingTenant(), await mailingTenant()]
    const visitor = (await auth('anonymous', { tenant_id: tenant.id })).json
    const foreign = (await auth('anonymous', { tenant_id: other.id })).json
    const { json: made } = await expectOk(
      register(tenant, nextEmail(), { anonymous_token: visitor.access_token }),
    )
    expect(await all('SELECT visitor_id FROM accounts WHERE user_id = ?', made.user_id)).toEqual([
      { visitor_id: visitor.user_id },
    ])
    for (const token of [foreign.access_token, made.access_token, 'x.y.z', 'nothing']) {
      const email = nextEmail()
      const { status, json } = await register(tenant, email, { anonymous_token: token })
      expect([status, json]).toEqual([400, BAD_TOKEN])
      expect((await login(tenant, email)).status).toBe(401)
    }
  })
})

describe('signing in', () => {
  it('refuses for every reason in the same way', async () => {
    const [tenant, other] = [await mailingTenant(), await mailingTenant()]
    const email = nextEmail()
    await expectOk(register(tenant, email))
    const answers = [
      await login(tenant, email, 'wrong password'),
      await login(tenant, nextEmail(), PASSWORD),
      await login(other, email, PASSWORD),
      await login(tenant, email, ''),
      await login(tenant, email, 'x'.repeat(1000)),
      await login(tenant, email, ` ${PASSWORD}`),
    ]
    for (const { status, json, headers } of answers) {
      expect([status, json, headers.get('www-authenticate')]).toEqual([401, BAD_LOGIN, null])
    }
    const shapes = answers.map(({ headers }) => [...headers.keys()].sort().join())
    expect(new Set(shapes).size).toBe(1)
  })

  it('is off for a proxy tenant, and for one that is not active', async () => {
    const proxy = await seedTenant(parley, { auth_mode: 'proxy' })
    const suspended = await seedTenant(parley)
    await parley.admin('PATCH', `/v1/admin/tenants/${suspended.id}`, { status: 'suspended' })
    for (const [tenant, detail] of [
      [proxy, 'Native login is disabled'],
      [suspended, 'Tenant is not active'],
    ] as const) {
      const email = nextEmail()
      const calls = [
        register(tenant, email),
        login(tenant, email),
        auth('forgot-password', { tenant_id: tenant.id, email }),
        auth('resend-verification', { tenant_id: tenant.id, email }),
        parley.call('GET', `/auth/oauth/google/start?tenant_id=${tenant.id}`),
      ]
      for (const { status, json } of await Promise.all(calls)) {
        expect([status, json]).toEqual([403, { detail }])
      }
    }
  })

  it('answers requests for mails alike, and mails only who has an account', async () => {
    const tenant = await mailingTenant()
    const email = nextEmail()
    const stranger = nextEmail()
    await expectOk(register(tenant, email))
    await mailTo(email)
    for (const path of ['forgot-password', 'resend-verification']) {
      const known = await auth(path, { tenant_id: tenant.id, email })
      const unknown = await auth(path, { tenant_id: tenant.id, email: stranger })
      expect([known.status, known.text]).toEqual([200, JSON.stringify(OK)])
      expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
      expect([...unknown.headers.keys()].sort()).toEqual([...known.headers.keys()].sort())
    }
    await mailTo(email, 3)
    expect(mailsTo(email).map(subjectOf).sort()).toEqual([
      'Confirm your e-mail address for Acme',
      'Confirm your e-mail address for Acme',
      'Set a new password for Acme',
    ])
    expect(mailsTo(stranger)).toEqual([])
  })
})

describe('a new password', () => {
  it('ends all sessions, works once, and logs nobody in', async () => {
    const tenant = await mailingTenant()
    await seedAgent(tenant, 'helper')
    const email = nextEmail()
    const { json: session } = await registerVerified(tenant, email)
    expect((await chat(session.access_token)).status).toBe(200)
    await expectOk(
      auth('forgot-password', { tenant_id: tenant.id, email }, { 'accept-language': 'ru' }),
    )
    const token = await linkTo(email, 'reset', 2)
    const short = await reset(token, 'short77')
    expect([short.status, short.json.detail[0].loc]).toEqual([422, ['body', 'new_password']])
    const both = await Promise.all([
      reset(token, 'new password one'),
      reset(token, 'new password two'),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(both.map(({ json }) => json)).toEqual(expect.arrayContaining([OK, BAD_TOKEN]))
    const old = await chat(session.access_token)
    expect([old.status, old.json]).toEqual([401, BAD_TOKEN])
    expect((await login(tenant, email)).status).toBe(401)
    const tries = [
      await login(tenant, email, 'new password one'),
      await login(tenant, email, 'new password two'),
    ]
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401])
    const fresh = tries.find(({ status }) => status === 200)?.json
    expect(fresh.user_id).toBe(session.user_id)
    expect((await chat(fresh.access_token)).status).toBe(200)
  })

  it('only the newest link counts, for its own purpose, until it expires', async () => {
    const tenant = await mailingTenant()
    const email = nextEmail()
    await registerVerified(tenant, email)
    const ask = () => expectOk(auth('forgot-password', { tenant_id: tenant.id, email }))
    await ask()
    const first = await linkTo(email, 'reset', 2)
    await ask()
    const second = await linkTo(email, 'reset', 3)
    expect((await reset(first, 'new password')).json).toEqual(BAD_TOKEN)
    expect((await verify(second)).json).toEqual(BAD_TOKEN)
    const { DB } = await parley.worker.getEnv()
    const row = (
      await all(
        "SELECT * FROM one_time_tokens WHERE tenant_id = ? AND purpose = 'reset'",
        tenant.id,
      )
    )[0]
    const lifetime = Number(row?.expires_at) - Number(row?.created_at)
    expect(lifetime).toBe(HOUR_MS / 2)
    await DB.prepare('UPDATE one_time_tokens SET expires_at = ? WHERE id = ?')
      .bind(Date.now() - 1, row?.id)
      .run()
    expect((await reset(second, 'new password')).json).toEqual(BAD_TOKEN)
    for (const token of ['', 'x', 'A'.repeat(43), `${second}A`]) {
      const { status, json } = await reset(token, 'new password')
      expect([status, json]).toEqual([400, BAD_TOKEN])
    }
    expect((await login(tenant, email)).status).toBe(200)
  })

  it('a trap account gains nothing: the owner of the address starts fresh', async () => {
    const tenant = await mailingTenant()
    await seedAgent(tenant, 'helper')
    const email = nextEmail()
    const { json: trap } = await expectOk(
      register(tenant, email, { password: 'password of the trap' }),
    )
    const trapLink = await linkTo(email, 'verify')
    expect((await chat(trap.access_token)).status).toBe(200)
    await expectOk(auth('forgot-password', { tenant_id: tenant.id, email }))
    await expectOk(reset(await linkTo(email, 'reset', 2), 'password of the owner'))
    const owner = await expectOk(login(tenant, email, 'password of the owner'))
    expect(owner.json.user_id).not.toBe(trap.user_id)
    expect(owner.json.email_verified).toBe(true)
    expect((await login(tenant, email, 'password of the trap')).status).toBe(401)
    expect((await chat(trap.access_token)).status).toBe(401)
    expect((await verify(trapLink)).status).toBe(400)
    const { FILES } = await parley.worker.getEnv()
    expect(await FILES.head(`keys/${tenant.id}/${trap.user_id}`)).toBe(null)
    // The job that takes the row away as well may have run by now.
    const alive = "SELECT id FROM users WHERE id = ? AND status <> 'deleted'"
    expect(await all(alive, trap.user_id)).toEqual([])
    expect(await all(alive, owner.json.user_id)).toEqual([{ id: owner.json.user_id }])
  })
})

describe('a proxy tenant', () => {
  it("gets a token for its user's browser", async () => {
    const tenant = await seedTenant(parley, { auth_mode: 'proxy' })
    await seedAgent(tenant, 'helper')
    const { status, json } = await tenant.as('user-7', 'POST', '/v1/users/token')
    expect(status).toBe(200)
    expect(json).toMatchObject({ token_type: 'bearer', email_verified: false })
    expect((await chat(json.access_token)).status).toBe(200)
    expect((await tenant.as('user-7', 'POST', '/v1/users/token')).json.user_id).toBe(json.user_id)
    expect((await tenant.as('user-8', 'POST', '/v1/users/token')).json.user_id).not.toBe(
      json.user_id,
    )
    const refused = [
      await tenant.call('POST', '/v1/users/token'),
      await parley.call('POST', '/v1/users/token'),
      await parley.call('POST', '/v1/users/token', {
        headers: { authorization: `Bearer ${json.access_token}` },
      }),
    ]
    expect(refused.map((answer) => answer.status)).toEqual([401, 401, 401])
  })
})
