import { beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

const PASSWORD = 'correct horse battery'
const BETTER = 'a much better secret'
const ENDED = [401, { detail: 'Invalid or expired token' }]

describe('the own account', () => {
  let parley: Parley
  let tenant: SeededTenant
  let people = 0
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const as = (token: string, method: string, path: string, body?: unknown) =>
    parley.call(method, path, { body, headers: bearer(token) })
  const logIn = (email: string, password: string) =>
    parley.call('POST', '/auth/login', { body: { tenant_id: tenant.id, email, password } })
  async function account() {
    people += 1
    const email = `p${people}@people.example`
    const body = { tenant_id: tenant.id, email, password: PASSWORD }
    const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
    const other = (await expectOk(logIn(email, PASSWORD))).json.access_token as string
    return { email, userId: json.user_id as string, token: json.access_token as string, other }
  }
  const me = async (token: string) => {
    const { status, json } = await as(token, 'GET', '/me')
    return [status, status === 200 ? json.user_id : json]
  }

  it('takes a new password by the old one, and ends every other token', async () => {
    const { email, userId, token, other } = await account()
    const wrong = { current_password: BETTER, new_password: BETTER }
    const refused = await as(token, 'POST', '/me/password', wrong)
    expect([refused.status, refused.json.detail[0].loc]).toEqual([
      422,
      ['body', 'current_password'],
    ])
    const short = await as(token, 'POST', '/me/password', {
      current_password: PASSWORD,
      new_password: 'short',
    })
    expect([short.status, short.json.detail[0].loc]).toEqual([422, ['body', 'new_password']])
    expect(await me(token)).toEqual([200, userId])

    const right = { current_password: PASSWORD, new_password: BETTER }
    const { json } = await expectOk(as(token, 'POST', '/me/password', right))
    expect(json).toMatchObject({ token_type: 'bearer', user_id: userId, email_verified: false })
    for (const ended of [token, other]) expect(await me(ended)).toEqual(ENDED)
    expect(await me(json.access_token)).toEqual([200, userId])
    expect((await logIn(email, PASSWORD)).status).toBe(401)
    expect((await logIn(email, BETTER)).status).toBe(200)
  })

  it('takes one of several new passwords that the old one asks for at once', async () => {
    const { email, token } = await account()
    const wanted = [1, 2, 3].map((n) => `${BETTER} ${n}`)
    const answers = await Promise.all(
      wanted.map((password) =>
        as(token, 'POST', '/me/password', { current_password: PASSWORD, new_password: password }),
      ),
    )
    const taken = answers.findIndex(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await me(answers[taken]?.json.access_token))[0]).toBe(200)
    expect((await logIn(email, wanted[taken] as string)).status).toBe(200)
  })

  it('signs out everywhere, and goes on here with a new token', async () => {
    const { userId, token, other } = await account()
    const { json } = await expectOk(as(token, 'POST', '/me/sign-out-everywhere'))
    for (const ended of [token, other]) expect(await me(ended)).toEqual(ENDED)
    expect(await me(json.access_token)).toEqual([200, userId])
  })

  it('has no sign-in where nobody signed in', async () => {
    const visitor = await expectOk(
      parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } }),
    )
    const out = await as(visitor.json.access_token, 'POST', '/me/sign-out-everywhere')
    expect([out.status, out.json]).toEqual([404, { detail: 'Sign-in not found' }])
    const keyed = await tenant.as('ada', 'POST', '/me/sign-out-everywhere')
    expect(keyed.status).toBe(404)
    const body = { current_password: PASSWORD, new_password: BETTER }
    expect((await tenant.as('ada', 'POST', '/me/password', body)).json).toEqual({
      detail: 'Password not found',
    })
  })

  it('is deleted with the own id and the password, once and for all', async () => {
    const { email, userId, token } = await account()
    await expectOk(as(token, 'POST', '/v1/chat', { message: 'My name is Ada.', agent: 'desk' }))
    const bystander = await account()
    for (const confirm of ['yes', bystander.userId]) {
      const { status, json } = await as(token, 'DELETE', '/me', { confirm, password: PASSWORD })
      expect([status, json.code]).toEqual([409, 'not_confirmed'])
    }
    for (const password of [undefined, 'not the password']) {
      const { status, json } = await as(token, 'DELETE', '/me', { confirm: userId, password })
      expect([status, json.detail[0].loc]).toEqual([422, ['body', 'password']])
    }
    const gone = await as(token, 'DELETE', '/me', { confirm: userId, password: PASSWORD })
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect(await me(token)).toEqual(ENDED)
    expect((await logIn(email, PASSWORD)).status).toBe(401)
    expect((await tenant.call('GET', `/v1/manage/users/${userId}`)).status).toBe(404)
    const { json: trail } = await expectOk(tenant.call('GET', '/v1/tenant/audit?entity=user'))
    expect(trail.items[0]).toMatchObject({
      action: 'delete',
      entity_id: userId,
      actor: `user:${userId}`,
      request_id: gone.headers.get('x-request-id'),
    })
    expect(await me(bystander.token)).toEqual([200, bystander.userId])
    const again = { tenant_id: tenant.id, email, password: PASSWORD }
    expect((await parley.call('POST', '/auth/register', { body: again })).status).toBe(200)
  })

  it('of somebody whom the tenant vouches for is deleted by the tenant alone', async () => {
    const { json: ada } = await expectOk(tenant.as('vouched', 'GET', '/me'))
    const { json } = await expectOk(tenant.as('vouched', 'POST', '/v1/users/token'))
    const body = { confirm: ada.user_id }
    expect((await as(json.access_token, 'DELETE', '/me', body)).status).toBe(403)
    expect((await tenant.as('vouched', 'DELETE', '/me', body)).status).toBe(204)
    expect(await me(json.access_token)).toEqual(ENDED)
  })

  it('of a visitor is deleted by the token that is all there is', async () => {
    const { json } = await expectOk(
      parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } }),
    )
    const gone = await as(json.access_token, 'DELETE', '/me', { confirm: json.user_id })
    expect(gone.status).toBe(204)
    expect(await me(json.access_token)).toEqual(ENDED)
  })
})
