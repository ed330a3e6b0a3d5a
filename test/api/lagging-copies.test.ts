import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, type Parley, startParley } from '../support/harness'
import { makePng } from '../support/image-bytes'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

const PASSWORD = 'correct horse battery'
const EMAIL = 'ada@people.example'

let parley: Parley
let tenant: SeededTenant
beforeAll(async () => {
  parley = await startParley({ MODEL_PROVIDER: 'offline' }, { lagging: true })
  tenant = await seedTenant(parley, { auth_mode: 'native' })
  await seedAgent(tenant, 'desk')
  await expectOk(tenant.call('PUT', '/v1/agents/desk/alias', { alias: 'desk' }))
})
afterAll(() => parley.close())

const post = (path: string, body: object, token?: string): Promise<Answer> =>
  parley.call('POST', path, {
    body,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
const get = (path: string): Promise<Answer> => parley.call('GET', path)
const here = () => ({ tenant_id: tenant.id })

/** What was written a moment ago is there, though no copy of the database knows of it yet. */
it.each<[string, () => Promise<Answer>]>([
  [
    'a key that was made just now',
    () => tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello' }),
  ],
  [
    'the token of a visitor',
    async () => {
      const { json } = await expectOk(post('/auth/anonymous', here()))
      return post('/v1/chat', { message: 'Hello', agent: 'desk' }, json.access_token)
    },
  ],
  [
    'an account',
    async () => {
      const credentials = { ...here(), email: EMAIL, password: PASSWORD }
      await expectOk(post('/auth/register', credentials))
      const { json } = await expectOk(post('/auth/login', credentials))
      return parley.call('GET', '/me', {
        headers: { authorization: `Bearer ${json.access_token}` },
      })
    },
  ],
  ['ways to sign in', () => get(`/auth/methods?tenant_id=${tenant.id}`)],
  ['the page of an agent', () => get(`/a/${tenant.alias}/desk`)],
  ['what a visitor sees first', () => get(`/v1/agents/desk/opening?tenant_id=${tenant.id}`)],
  ['the sign-in page', () => get(`/login/${tenant.alias}`)],
  [
    'a logo',
    async () => {
      const form = new FormData()
      form.set('file', new Blob([makePng(64, 64)], { type: 'image/png' }), 'logo.png')
      const { json } = await expectOk(tenant.call('POST', '/v1/tenant/settings/logo', form))
      return get(json.logo_url)
    },
  ],
])('%s works at once', async (_, call) => {
  expect(await call()).toMatchObject({ status: 200 })
})
