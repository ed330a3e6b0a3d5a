import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const AHEAD_MS = 5 * 60_000
const [OLD, NEW] = ['correct horse battery', 'staple battery horse']
/** Telling them takes a while, so that some are told when the process dies and some are not. */
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

  it.each([150, 400, 500, 600, 800])(
    '%i ms after it was sent: the old tokens stand in every space, or end in every space',
    async (delayMs) => {
      const { call } = server.parley
      const account = { tenant_id: tenant.id, email: `ada-${delayMs}@example.org` }
      const body = { ...account, password: OLD }
      const { json } = await expectOk(call('POST', '/auth/register', { body }))
      const headers = { authorization: `Bearer ${json.access_token}` }
      const ids: string[] = []
      for (let n = 0; n < SPACES; n++) {
        const space = await expectOk(
          call('POST', '/me/spaces', { headers, body: { name: `Space ${n}` } }),
        )
        ids.push(space.json.id)
        const offered = { headers, body: { name: 'desk' } }
        await expectOk(call('POST', `/me/spaces/${space.json.id}/agents`, offered))
      }
      const say = async (space: string) =>
        (
          await call('POST', '/v1/chat', {
            headers: { ...headers, 'x-space-id': space },
            body: { message: 'Hello' },
          })
        ).status
      for (const id of ids) expect(await say(id)).toBe(200)

      const path = `/v1/manage/users/${json.user_id}/password`
      const reset = tenant.call('POST', path, { new_password: NEW }).catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      const told = await reset
      await server.start()

      const logIn = { body: { ...account, password: NEW } }
      const isChanged = (await call('POST', '/auth/login', logIn)).status === 200
      if (told) expect(isChanged).toBe(true)
      await server.watch(AHEAD_MS)
      const standing = isChanged ? 401 : 200
      for (const id of ids) await waitFor(async () => ((await say(id)) === standing ? true : null))
    },
  )
})
