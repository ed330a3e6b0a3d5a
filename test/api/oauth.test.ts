import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Parley, startParley } from '../support/harness'
import {
  CLIENT,
  type IdentityProvider,
  type Person,
  startIdentityProvider,
} from '../support/identity-provider'
import { countJobs } from '../support/jobs-done'
import { startLoopback } from '../support/loopback'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const BASE = 'https://chat.example'
const CALLBACK = `${BASE}/auth/oauth/google/callback`
const BAD_STATE = { detail: 'Invalid or expired token' }
const PASSWORD = 'correct horse battery'

let provider: IdentityProvider
let github: Awaited<ReturnType<typeof startLoopback>>
let parley: Parley
let person = 0
const fresh = (fields: Partial<Person> = {}): Person => {
  person += 1
  return {
    sub: `person-${person}`,
    email: `p${person}@people.example`,
    email_verified: true,
    ...fields,
  }
}

/** What the stand-in for the second provider says of whoever asks. */
let githubUser: unknown = { id: 7, login: 'ada' }
let githubEmails: unknown = []

beforeAll(async () => {
  provider = await startIdentityProvider(() => [CALLBACK])
  github = await startLoopback((request, response) => {
    const answers: Record<string, unknown> = {
      '/token': { access_token: 'gh-token', token_type: 'bearer' },
      '/user': githubUser,
      '/user/emails': githubEmails,
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[request.url ?? ''] ?? null))
  })
  parley = await startParley({
    PUBLIC_BASE: BASE,
    EGRESS_ALLOW: `${provider.pair},${github.pair}`,
    OAUTH_GOOGLE_AUTHORIZE_URL: `${provider.origin}/auth`,
    OAUTH_GOOGLE_TOKEN_URL: `${provider.origin}/token`,
    OAUTH_GOOGLE_USER_URL: `${provider.origin}/me`,
    OAUTH_GITHUB_AUTHORIZE_URL: `${github.origin}/authorize`,
    OAUTH_GITHUB_TOKEN_URL: `${github.origin}/token`,
    OAUTH_GITHUB_USER_URL: `${github.origin}/user`,
    OAUTH_GITHUB_EMAILS_URL: `${github.origin}/user/emails`,
  })
})
afterAll(async () => {
  await parley.close()
  await Promise.all([provider.close(), github.close()])
})

async function socialTenant(): Promise<SeededTenant> {
  const tenant = await seedTenant(parley)
  const credentials = { client_id: CLIENT.id, client_secret: CLIENT.secret }
  await expectOk(tenant.call('PUT', '/v1/tenant/oauth/google', credentials))
  await expectOk(tenant.call('PUT', '/v1/tenant/oauth/github', credentials))
  return tenant
}

async function start(tenant: SeededTenant, query = '', name = 'google', cookie?: string) {
  const answer = await parley.call(
    'GET',
    `/auth/oauth/${name}/start?tenant_id=${tenant.id}${query}`,
    { headers: cookie ? { cookie } : {} },
  )
  if (answer.status !== 302) throw new Error(`${answer.status} ${answer.text}`)
  const [setCookie = ''] = answer.headers.getSetCookie()
  return {
    location: answer.headers.get('location') ?? '',
    setCookie,
    cookie: setCookie.split(';')[0] ?? '',
  }
}

const callback = (url: URL, cookie?: string, name = 'google'): Promise<Answer> =>
  parley.call('GET', `/auth/oauth/${name}/callback${url.search}`, {
    headers: cookie ? { cookie } : {},
  })

const fragmentOf = (answer: Answer) =>
  Object.fromEntries(
    new URLSearchParams(new URL(answer.headers.get('location') ?? '').hash.slice(1)),
  )

async function signIn(tenant: SeededTenant, who: Person): Promise<Record<string, string>> {
  const { location, cookie } = await start(tenant)
  const answer = await callback(await provider.signIn(location, who), cookie)
  if (answer.status !== 302) throw new Error(`${answer.status} ${answer.text}`)
  return fragmentOf(answer)
}

async function githubSignIn(tenant: SeededTenant): Promise<Record<string, string>> {
  const { location, cookie } = await start(tenant, '', 'github')
  const state = new URL(location).searchParams.get('state')
  const back = new URL(`${BASE}/back?code=c&state=${state}`)
  return fragmentOf(await callback(back, cookie, 'github'))
}

/** A turn with the token of the fragment. */
const say = (token: Record<string, string>) =>
  parley.call('POST', '/v1/chat', {
    body: { message: 'Good evening' },
    headers: { authorization: `Bearer ${token.access_token}` },
  })

const register = (tenant: SeededTenant, email: string) =>
  parley.call('POST', '/auth/register', {
    body: { tenant_id: tenant.id, email, password: PASSWORD },
  })
const login = (tenant: SeededTenant, email: string) =>
  parley.call('POST', '/auth/login', { body: { tenant_id: tenant.id, email, password: PASSWORD } })
const chat = (token: string | undefined) =>
  parley.call('POST', '/v1/chat', {
    body: { message: 'Hello', agent: 'helper' },
    headers: { authorization: `Bearer ${token}` },
  })
const run = async (sql: string, ...values: unknown[]) => {
  const { DB } = await parley.worker.getEnv()
  return DB.prepare(sql)
    .bind(...values)
    .all<Record<string, unknown>>()
}

describe('what was remembered of a visitor', () => {
  const asToken = (token: string | undefined) => ({ authorization: `Bearer ${token}` })
  const pointsOf = async (token: string | undefined) => {
    const { json } = await expectOk(
      parley.call('GET', '/me/remembered', { headers: asToken(token) }),
    )
    return json.flatMap((view: { points: string[] }) => view.points)
  }
  const visit = async (tenant: SeededTenant) =>
    (await expectOk(parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } })))
      .json.access_token as string
  const carry = (token: string | undefined, visitor: unknown) =>
    parley.call('POST', '/me/remembered/carry', {
      body: { anonymous_token: visitor },
      headers: asToken(token),
    })

  it('follows whoever signs in at a provider, and leaves the visitor', async () => {
    const tenant = await socialTenant()
    await seedAgent(tenant, 'helper')
    const visitor = await visit(tenant)
    const body = { message: 'My name is Rosa. I live in Lima.', agent: 'helper' }
    await expectOk(parley.call('POST', '/v1/chat', { body, headers: asToken(visitor) }))
    await waitFor(async () => ((await pointsOf(visitor)).length === 2 ? true : null))
    const who = fresh()
    const token = await signIn(tenant, who)
    expect((await carry(token.access_token, visitor)).status).toBe(204)
    const points = await waitFor(async () => {
      const found = await pointsOf(token.access_token)
      return found.length === 2 ? found : null
    })
    expect(points.sort()).toEqual(['I live in Lima.', 'My name is Rosa.'])
    await waitFor(async () => ((await pointsOf(visitor)).length === 0 ? true : null))
    // A repeat, and the same person's next sign-in, bring nothing twice.
    const again = await signIn(tenant, who)
    const carried = countJobs(parley, 'remembered.carry')
    expect((await carry(again.access_token, visitor)).status).toBe(204)
    await carried()
    expect(await pointsOf(again.access_token)).toHaveLength(2)
    const { results } = await run(
      'SELECT visitor_id FROM accounts WHERE user_id = ?',
      token.user_id,
    )
    expect(results[0]?.visitor_id).toEqual(expect.any(String))
  })

  it('is taken over by the token of a visitor of this tenant alone', async () => {
    const [tenant, other] = await Promise.all([socialTenant(), socialTenant()])
    const token = await signIn(tenant, fresh())
    const second = await signIn(tenant, fresh())
    for (const bad of [await visit(other), second.access_token, 'no token']) {
      const { status, json } = await carry(token.access_token, bad)
      expect([status, json]).toEqual([400, BAD_STATE])
    }
    expect((await carry(token.access_token, 7)).status).toBe(422)
    expect((await carry(undefined, await visit(tenant))).status).toBe(401)
  })
})

describe('a sign-in at a provider', () => {
  it('goes to the provider and back with a token in the fragment', async () => {
    const tenant = await socialTenant()
    await seedAgent(tenant, 'helper')
    const { location, setCookie, cookie } = await start(tenant)
    expect(setCookie).toMatch(
      /^__Host-[\w-]+=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    )
    const asked = Object.fromEntries(new URL(location).searchParams)
    expect(asked).toEqual({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: CALLBACK,
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const back = await provider.signIn(location, fresh())
    expect(`${back.origin}${back.pathname}`).toBe(CALLBACK)
    const answer = await callback(back, cookie)
    expect([answer.status, answer.text]).toEqual([302, ''])
    const target = new URL(answer.headers.get('location') ?? '')
    expect(`${target.origin}${target.pathname}${target.search}`).toBe(
      `${BASE}/login/${tenant.alias}`,
    )
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const token = fragmentOf(answer)
    expect(token).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: '604800',
      user_id: expect.any(String),
      email_verified: 'true',
    })
    expect((await chat(token.access_token)).status).toBe(200)
  })

  it('knows a person again, also with another address, and keeps tenants apart', async () => {
    const [tenant, other] = [await socialTenant(), await socialTenant()]
    const ada = fresh()
    const first = await signIn(tenant, ada)
    const again = await signIn(tenant, { ...ada, email: 'new@people.example' })
    expect(again.user_id).toBe(first.user_id)
    expect((await signIn(other, ada)).user_id).not.toBe(first.user_id)
    const { results } = await run('SELECT * FROM identities WHERE tenant_id = ?', tenant.id)
    expect(results).toHaveLength(1)
    expect(JSON.stringify(results)).not.toContain(ada.sub)
  })

  it('of two at once makes one user', async () => {
    const tenant = await socialTenant()
    const ada = fresh()
    const both = await Promise.all([signIn(tenant, ada), signIn(tenant, ada)])
    expect(both[0].user_id).toBe(both[1].user_id)
    const { results } = await run('SELECT id FROM users WHERE tenant_id = ?', tenant.id)
    expect(results).toHaveLength(1)
  })

  it('links to an account only when both sides have confirmed the address', async () => {
    const tenant = await socialTenant()
    const ada = fresh()
    const { json: account } = await expectOk(register(tenant, ada.email ?? ''))
    await run('UPDATE accounts SET email_verified = 1 WHERE user_id = ?', account.user_id)
    expect(
      await signIn(tenant, { ...ada, sub: 'unverified', email_verified: false }),
    ).toMatchObject({
      email_verified: 'false',
    })
    const claimed = await signIn(tenant, { ...ada, sub: 'text', email_verified: 'true' })
    expect(claimed.user_id).not.toBe(account.user_id)
    expect((await signIn(tenant, ada)).user_id).toBe(account.user_id)
    expect((await login(tenant, ada.email ?? '')).status).toBe(200)
  })

  it('a trap account gains nothing: the owner of the address starts fresh', async () => {
    const tenant = await socialTenant()
    await seedAgent(tenant, 'helper')
    const ada = fresh()
    const { json: trap } = await expectOk(register(tenant, ada.email ?? ''))
    expect((await chat(trap.access_token)).status).toBe(200)
    const owner = await signIn(tenant, ada)
    expect(owner.user_id).not.toBe(trap.user_id)
    expect(owner.email_verified).toBe('true')
    expect((await login(tenant, ada.email ?? '')).status).toBe(401)
    expect((await chat(trap.access_token)).status).toBe(401)
    expect((await chat(owner.access_token)).status).toBe(200)
    const { FILES } = await parley.worker.getEnv()
    expect(await FILES.head(`keys/${tenant.id}/${trap.user_id}`)).toBe(null)
  })

  it('takes a state once, from the browser and for the provider it was made for, while it is fresh', async () => {
    const tenant = await socialTenant()
    const { location, cookie } = await start(tenant)
    const back = await provider.signIn(location, fresh())
    const elsewhere = await start(tenant)
    const refusals = [
      await callback(back),
      await callback(back, elsewhere.cookie),
      await callback(back, '__Host-parley-sign-in=short'),
      await callback(back, cookie, 'github'),
      await callback(new URL(`${CALLBACK}?code=x`), cookie),
      await callback(new URL(`${CALLBACK}?code=x&state=${'A'.repeat(43)}`), cookie),
      await callback(new URL(`${CALLBACK}?error=access_denied`), cookie),
    ]
    for (const { status, json } of refusals) expect([status, json]).toEqual([400, BAD_STATE])
    expect((await callback(back, cookie)).status).toBe(302)
    const replay = await callback(back, cookie)
    expect([replay.status, replay.json]).toEqual([400, BAD_STATE])

    const late = await start(tenant, '', 'google', cookie)
    expect(late.cookie).toBe(cookie)
    const state = new URL(late.location).searchParams.get('state')
    await run(
      'UPDATE one_time_tokens SET expires_at = 1 WHERE used_at IS NULL AND tenant_id = ?',
      tenant.id,
    )
    expect((await callback(new URL(`${CALLBACK}?code=x&state=${state}`), cookie)).status).toBe(400)
  })

  it('asks who comes in here what the tenant asks, before the first chat', async () => {
    const tenant = await socialTenant()
    await seedAgent(tenant, 'desk')
    const onboarding_config = { required_fields: ['city'], consent_text: { fr: 'D’accord ?' } }
    await expectOk(tenant.call('PATCH', '/v1/tenant/settings', { onboarding_config }))
    const who = fresh()
    const token = await signIn(tenant, who)
    expect(token.onboarding).toBe('pref_city,consent')
    const refused = await say(token)
    expect([refused.status, refused.json.code]).toEqual([403, 'onboarding_required'])
    const page = refused.json.detail.split(' ').at(-1)
    expect(page).toMatch(/\/login\/[^?]+\?lang=en$/)
    expect((await parley.call('GET', page.slice(new URL(page).origin.length))).status).toBe(200)
    const french = await parley.call('POST', '/v1/chat', {
      body: { message: 'Bonjour', agent: 'desk' },
      headers: { authorization: `Bearer ${token.access_token}`, 'accept-language': 'fr' },
    })
    expect(french.json.detail).toMatch(/^Avant de discuter.*\/login\/[^?]+\?lang=fr$/)
    const answer = (body: object) =>
      parley.call('POST', '/me/onboarding', {
        body,
        headers: { authorization: `Bearer ${token.access_token}`, 'accept-language': 'fr' },
      })
    const half = await answer({ pref_city: 'Lima', consent: false })
    expect([half.status, half.json.detail]).toEqual([
      422,
      [{ type: 'missing', loc: ['body', 'consent'], msg: 'Field required' }],
    ])
    expect((await answer({ pref_city: 'Lima', consent: true })).status).toBe(204)
    expect((await say(token)).status).toBe(200)
    expect((await signIn(tenant, who)).onboarding).toBeUndefined()
    const { json } = await expectOk(tenant.call('GET', `/v1/manage/users/${token.user_id}`))
    expect(json).toMatchObject({
      pref_city: 'Lima',
      consent: { text_hash: createHash('sha256').update('D’accord ?').digest('hex') },
    })
  })

  it('never reflects what the provider says', async () => {
    const tenant = await socialTenant()
    const begin = async () => {
      const { location, cookie } = await start(tenant)
      return { cookie, state: new URL(location).searchParams.get('state') }
    }
    const one = await begin()
    const denied = await callback(
      new URL(`${CALLBACK}?error=%3Cscript%3E&error_description=evil&state=${one.state}`),
      one.cookie,
    )
    expect(fragmentOf(denied)).toEqual({ error: 'sign_in_cancelled' })
    const two = await begin()
    const forged = await callback(new URL(`${CALLBACK}?code=forged&state=${two.state}`), two.cookie)
    expect(fragmentOf(forged)).toEqual({ error: 'sign_in_failed' })
  })

  it('leaves no verifier or secret readable in the database', async () => {
    const tenant = await socialTenant()
    const { location, cookie } = await start(tenant, '&redirect=/a/some/page')
    const { results } = await run('SELECT * FROM one_time_tokens WHERE tenant_id = ?', tenant.id)
    const text = JSON.stringify(results)
    expect(results).toHaveLength(1)
    for (const secret of [
      new URL(location).searchParams.get('state') ?? '',
      cookie.split('=')[1] ?? '',
      '/a/some/page',
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  it('returns only to the app', async () => {
    const tenant = await socialTenant()
    const { location, cookie } = await start(
      tenant,
      `&redirect=${encodeURIComponent('/a/x/y?z=1#old')}`,
    )
    const answer = await callback(await provider.signIn(location, fresh()), cookie)
    expect(answer.headers.get('location')).toMatch(
      /^https:\/\/chat\.example\/a\/x\/y\?z=1#access_token=/,
    )
    const bad = [
      '//evil.example/',
      '/\\evil.example',
      'https://evil.example/',
      'http://chat.example/',
      'javascript:alert(1)',
      'https://chat.example@evil.example/',
      '/\t/evil.example',
      'evil',
      ' /a',
    ]
    for (const redirect of bad) {
      const { status, json } = await parley.call(
        'GET',
        `/auth/oauth/google/start?tenant_id=${tenant.id}&redirect=${encodeURIComponent(redirect)}`,
      )
      expect([redirect, status, json?.detail[0].loc]).toEqual([
        redirect,
        422,
        ['query', 'redirect'],
      ])
    }
  })

  it('returns to no name that its tenant has given up meanwhile', async () => {
    const tenant = await socialTenant()
    const prove = (of: SeededTenant) =>
      run(
        `INSERT INTO custom_domains (id, tenant_id, domain, label, status, next_check_at, created_at, updated_at)
         VALUES (?1, ?1, 'help.sold.example', ?1, 'active', 9e15, 0, 0)`,
        of.id,
      )
    await prove(tenant)
    const back = `&redirect=${encodeURIComponent('https://help.sold.example/login/x')}`
    const begin = async () => {
      const { location, cookie } = await start(tenant, back)
      return { url: await provider.signIn(location, fresh()), cookie }
    }
    const [one, two] = [await begin(), await begin()]
    const kept = await callback(one.url, one.cookie)
    expect(kept.headers.get('location')).toMatch(/^https:\/\/help\.sold\.example\/login\/x#access_/)
    await run('DELETE FROM custom_domains WHERE tenant_id = ?', tenant.id)
    await prove(await seedTenant(parley))
    const sold = await callback(two.url, two.cookie)
    expect([sold.status, sold.json]).toEqual([400, BAD_STATE])
  })

  it('is there only where it is set up', async () => {
    const tenant = await seedTenant(parley)
    const at = (name: string, id = tenant.id) =>
      parley.call('GET', `/auth/oauth/${name}/start?tenant_id=${id}`)
    const none = await at('google')
    expect([none.status, none.json]).toEqual([404, { detail: 'Provider not found' }])
    expect((await at('google', '01890a5d-ac96-774b-bcce-b302099a8057')).json).toEqual({
      detail: 'Tenant not found',
    })
    expect((await at('myspace')).status).toBe(422)
    await tenant.call('PUT', '/v1/tenant/oauth/google', { client_id: 'a', client_secret: 'b' })
    await tenant.call('PUT', '/v1/tenant/oauth/google/enabled', { enabled: false })
    expect((await at('google')).status).toBe(404)
  })
})

describe('the second provider', () => {
  it('gives an address only as its primary, confirmed one', async () => {
    const tenant = await socialTenant()
    const { json: account } = await expectOk(register(tenant, 'gh@people.example'))
    await run('UPDATE accounts SET email_verified = 1 WHERE user_id = ?', account.user_id)
    const email = { email: 'gh@people.example', primary: true, verified: true }
    githubUser = { id: 1, login: 'ada' }
    githubEmails = [{ ...email, verified: false }]
    expect((await githubSignIn(tenant)).user_id).not.toBe(account.user_id)
    githubUser = { id: 2, login: 'bob' }
    githubEmails = [
      { ...email, primary: false },
      { email: 'other@people.example', primary: true, verified: true },
    ]
    expect((await githubSignIn(tenant)).user_id).not.toBe(account.user_id)
    githubUser = { id: 3, login: 'eve' }
    githubEmails = [email]
    const linked = await githubSignIn(tenant)
    expect(linked).toMatchObject({ user_id: account.user_id, email_verified: 'true' })
    const asked = github.requests.filter(({ url }) => url === '/user').at(-1)
    expect(asked?.headers).toMatchObject({
      authorization: 'Bearer gh-token',
      'user-agent': 'parley',
    })
  })

  it('fails cleanly when its answers are not what they should be', async () => {
    const tenant = await socialTenant()
    githubEmails = []
    for (const answer of [null, 'text', { id: 'seven' }, {}, []]) {
      githubUser = answer
      expect(await githubSignIn(tenant)).toEqual({ error: 'sign_in_failed' })
    }
  })
})
