import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const AHEAD_MS = 5 * 60_000
const [OLD, NEW] = ['correct horse battery', 'staple battery horse']
/** Telling them takes a while. */
const SPACES = 6

describe('kill -9 in a password reset', { timeout: 180_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable()
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
  }, 90_000)
  afterAll(() => server.dispose())

  /** Somebody with a token that is good in several spaces. */
  async function somebody(email: string) {
    const { call } = server.parley
    const account = { tenant_id: tenant.id, email }
    const body = { ...account, password: OLD }
    const { json } = await expectOk(call('POST', '/auth/register', { body }))
    const headers = { authorization: `Bearer ${json.access_token}` }
    const ids: string[] = []
    for (let n = 0; n < SPACES; n++) {
      const made = { headers, body: { name: `Space ${n}` } }
      const space = await expectOk(call('POST', '/me/spaces', made))
      ids.push(space.json.id)
      const offered = { headers, body: { name: 'desk' } }
      await expectOk(call('POST', `/me/spaces/${space.json.id}/agents`, offered))
    }
    const sayIn = async (space: string) => {
      const said = { headers: { ...headers, 'x-space-id': space }, body: { message: 'Hello' } }
      return (await call('POST', '/v1/chat', said)).status
    }
    return { id: json.user_id, account, answers: () => Promise.all(ids.map(sayIn)) }
  }

  it('after its write, before the objects are told: the old tokens end in every space', async () => {
    let answers: number[] = []
    // Where all of them were told already, the kill came too late to show anything.
    for (let n = 0; !answers.includes(200); n++) {
      const ada = await somebody(`ada-${n}@example.org`)
      expect(await ada.answers()).toEqual(Array(SPACES).fill(200))
      const path = `/v1/manage/users/${ada.id}/password`
      const reset = tenant.call('POST', path, { new_password: NEW }).catch(() => null)
      await server.killOnce('SELECT 1 FROM users WHERE id = ? AND token_version > 1', ada.id)
      await reset
      await server.start()
      const logIn = { body: { ...ada.account, password: NEW } }
      await expectOk(server.parley.call('POST', '/auth/login', logIn))
      answers = await ada.answers()
      await server.watch(AHEAD_MS)
      await waitFor(async () => ((await ada.answers()).every((is) => is === 401) ? true : null))
    }
  })
})
