import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../fakes/failing'
import { failingCalls } from '../support/failing-calls'
import { type Parley, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { publishedStoryline, storylineFile } from '../support/storylines'

/** More calls of the platform than anything here makes. */
const MOST_CALLS = 60
const QUESTION = 'When are refunds paid?'
const FLOW = storylineFile('customer-intake')
const GUIDED = String(FLOW.agent_name)

/** Rule RE5: whichever call of the platform fails, before or after it was done, a repeat comes to the same end. */
describe.each(['refused', 'lost'] as const)('each call of the platform is %s once', (how) => {
  let parley: Parley
  let tenant: SeededTenant
  let calls: ReturnType<typeof failingCalls>
  let storyline: string
  let users = 0
  beforeAll(async () => {
    parley = await startParley({}, { failing: true })
    calls = failingCalls(parley)
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    await seedAgent(tenant, GUIDED)
    storyline = (await publishedStoryline(parley, tenant, FLOW)).id
  })
  afterAll(() => parley.close())

  const say = (user: string, message: string, agent: string, session_id?: string) =>
    tenant.as(
      user,
      'POST',
      '/v1/chat',
      { message, agent, session_id },
      { 'idempotency-key': message },
    )
  /** The same request until it is done: a space that was merged is not found any more. */
  const untilDone = (act: () => ReturnType<typeof say>) =>
    waitFor(async () => {
      const { status } = await act()
      return status < 300 || status === 404 ? true : null
    })
  /** @returns how many calls were made to fail: each in a run of its own, as a new user. */
  async function sweep(
    prepare: (user: string) => Promise<() => ReturnType<typeof say>>,
    check: (user: string, failed: string) => Promise<void>,
  ): Promise<number> {
    for (let at = 1; at < MOST_CALLS; at++) {
      const user = `user-${++users}`
      const act = await prepare(user)
      await calls.settled()
      await calls.fail({ at, how } satisfies Fault)
      await act()
      const failed = (await calls.settled()).find((call) => call.includes('<--'))
      await calls.fail(null)
      if (failed === undefined) return at - 1
      await untilDone(act)
      await calls.settled()
      await check(user, failed)
    }
    return MOST_CALLS
  }

  it('under a turn', { timeout: 120_000 }, async () => {
    const sessions = new Map<string, string>()
    const failed = await sweep(
      async (user) => {
        const { json } = await expectOk(say(user, 'Hello', 'desk'))
        sessions.set(user, json.session_id)
        return () => say(user, QUESTION, 'desk', json.session_id)
      },
      async (user, call) => {
        const path = `/me/sessions/${sessions.get(user)}/messages`
        const { json } = await expectOk(tenant.as(user, 'GET', path))
        const said = json.map(({ role, status }: Record<string, string>) => [role, status])
        const turn = [
          ['user', 'complete'],
          ['assistant', 'complete'],
        ]
        expect([call, said]).toEqual([call, [...turn, ...turn]])
      },
    )
    expect(failed).toBeGreaterThan(2)
  })

  it('under a merge', { timeout: 120_000 }, async () => {
    const merged = new Map<string, { home: string; session: string }>()
    const failed = await sweep(
      async (user) => {
        const { json: home } = await expectOk(tenant.as(user, 'GET', '/me'))
        const made = await expectOk(tenant.as(user, 'POST', '/me/spaces', { name: 'Work' }))
        const path = `/me/spaces/${made.json.id}`
        await expectOk(tenant.as(user, 'POST', `${path}/agents`, { name: 'desk' }))
        const inSpace = { 'x-space-id': made.json.id }
        const body = { message: 'Hello', agent: 'desk' }
        const { json } = await expectOk(tenant.as(user, 'POST', '/v1/chat', body, inSpace))
        merged.set(user, { home: home.space_id, session: json.session_id })
        return () => tenant.as(user, 'POST', `${path}/merge`, { target_space_id: home.space_id })
      },
      async (user, call) => {
        const { home = '', session = '' } = merged.get(user) ?? {}
        const { json: spaces } = await expectOk(tenant.as(user, 'GET', '/me/spaces'))
        const list = await expectOk(tenant.as(user, 'GET', `/me/spaces/${home}/sessions`))
        const said = await expectOk(tenant.as(user, 'GET', `/me/sessions/${session}/messages`))
        expect([
          call,
          spaces.map(({ id }: { id: string }) => id),
          list.json.items.map(({ id }: { id: string }) => id),
          said.json.length,
        ]).toEqual([call, [home], [session], 2])
      },
    )
    expect(failed).toBeGreaterThan(2)
  })

  it('under the first step of a storyline', { timeout: 120_000 }, async () => {
    const failed = await sweep(
      async (user) => {
        await expectOk(tenant.as(user, 'GET', '/me'))
        return () => say(user, 'Hello', GUIDED)
      },
      async (user, call) => {
        const { json: me } = await expectOk(tenant.as(user, 'GET', '/me'))
        const enrolled = await waitFor(async () => {
          const path = `/v1/storylines/${storyline}/enrollments?limit=200`
          const { json } = await expectOk(tenant.call('GET', path))
          const own = json.filter((item: { user_id: string }) => item.user_id === me.user_id)
          return own.length > 0 ? own : null
        })
        expect([call, enrolled.length]).toEqual([call, 1])
      },
    )
    expect(failed).toBeGreaterThan(2)
  })
})
