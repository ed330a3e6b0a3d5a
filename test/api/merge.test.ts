import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { isEvent, openLive } from '../support/live-stream'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import {
  addSpaceOf,
  fillSpace,
  homeOf,
  joinContents,
  readSpace,
  settleTitles,
} from '../support/space-content'

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const BUSY = { detail: 'Space is being merged' }

describe('merging spaces', { timeout: 180_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable({ STREAM_PING_S: '1', LIMITS_REMINDER_LEAD_S: '0' })
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
    await seedAgent(tenant, 'other')
  }, 90_000)
  afterAll(() => server.dispose())

  const merge = (user: string, source: string, target: unknown) =>
    tenant.as(user, 'POST', `/me/spaces/${source}/merge`, { target_space_id: target })
  const say = async (user: string, message: string, fields: object = {}, headers = {}) =>
    (
      await expectOk(
        tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk', ...fields }, headers),
      )
    ).json

  it('refuses what cannot be merged', async () => {
    const home = await homeOf(tenant, 'ann')
    const other = await addSpaceOf(tenant, 'ann', 'desk')
    const foreign = await homeOf(tenant, 'bea')
    const absent = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect((await merge('ann', other, other)).json.detail[0]).toMatchObject({
      type: 'value_error',
      loc: ['body', 'target_space_id'],
    })
    expect((await merge('ann', other, other)).status).toBe(422)
    expect((await merge('ann', other, 'nothing')).status).toBe(422)
    expect((await merge('ann', other, undefined)).json.detail[0].type).toBe('missing')
    for (const [source, target] of [
      [other, foreign],
      [other, absent],
      [foreign, home],
      [absent, home],
    ] as const) {
      const answer = await merge('ann', source, target)
      expect([answer.status, answer.json]).toEqual([404, { detail: 'Space not found' }])
    }
    const ofDefault = await merge('ann', home, other)
    expect([ofDefault.status, ofDefault.json]).toEqual([
      409,
      { detail: 'The default space cannot be deleted' },
    ])
    expect((await tenant.as('ann', 'GET', '/me/spaces')).json).toHaveLength(2)
  })

  it.each([10, 500, 5000])(
    '%i messages go over whole, and their ids go on working',
    async (size) => {
      const user = `size-${size}`
      const home = await homeOf(tenant, user)
      const other = await addSpaceOf(tenant, user, 'desk')
      await say(user, 'What was here before?')
      const ids = await fillSpace(tenant, user, other, size, { agent: 'desk' })
      await settleTitles(tenant, user, ids, other)
      const [mine, theirs] = [
        await readSpace(tenant, user, home),
        await readSpace(tenant, user, other),
      ]
      expect(Object.values(theirs.messages).flat()).toHaveLength(size)
      const started = performance.now()
      expect((await merge(user, other, home)).status).toBe(204)
      const ms = performance.now() - started
      process.stdout.write(`merge of ${size}: ${ms.toFixed(0)} ms\n`)
      const { remembered: _now, ...after } = await readSpace(tenant, user, home)
      const { remembered: _then, ...before } = joinContents(mine, theirs)
      expect(after).toEqual(before)
      expect((await tenant.as(user, 'GET', `/me/spaces/${other}/sessions`)).status).toBe(404)
      expect((await tenant.as(user, 'GET', '/me/spaces')).json).toHaveLength(1)
      const answer = await say(user, 'And now?', { session_id: ids[0] })
      expect(answer.session_id).toBe(ids[0])
      const { json } = await tenant.as(user, 'GET', `/me/sessions/${ids[0]}/messages?limit=500`)
      expect(json).toHaveLength(Math.min(50, size) + 2)
    },
  )
})
