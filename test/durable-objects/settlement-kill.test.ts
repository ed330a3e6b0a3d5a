import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { addSpaceOf, homeOf } from '../support/space-content'

const QUESTION = 'Which colours are there?'

interface Begun {
  tenant: SeededTenant
  session: string
  /** The user's own space, and the one that the session is in. */
  home: string
  space: string
  /** @returns the tokens of a turn */
  ask(): Promise<number>
}

describe('kill -9 while what a turn used waits for the next turn', { timeout: 180_000 }, () => {
  let server: Killable
  beforeAll(async () => {
    server = await startKillable()
  }, 90_000)
  afterAll(() => server.dispose())

  /** A tenant of its own, and a session that has its title: a further turn leaves nothing but what it used. */
  async function begin(): Promise<Begun> {
    const tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
    const home = await homeOf(tenant, 'ann')
    const space = await addSpaceOf(tenant, 'ann', 'desk')
    const say = (body: object) =>
      expectOk(tenant.as('ann', 'POST', '/v1/chat', body, { 'x-space-id': space }))
    const { json } = await say({ message: 'Hello there' })
    const session: string = json.session_id
    await waitFor(async () => {
      const { json: found } = await tenant.as('ann', 'GET', `/me/spaces/${space}/sessions`)
      return found.items[0].title
    })
    const ask = async (): Promise<number> => {
      const { usage } = (await say({ message: QUESTION, session_id: session })).json
      return usage.input_tokens + usage.output_tokens
    }
    return { tenant, session, ask, home, space }
  }

  /** Requests and tokens of chat, as the report has them and as the quota has all. */
  async function chatOf(tenant: SeededTenant) {
    const { json } = await expectOk(tenant.call('GET', '/v1/manage/usage?group=kind'))
    const rows = json.rows as { key: string; requests: number; total_tokens: number }[]
    const { json: quota } = await expectOk(tenant.call('GET', '/v1/tenant/quota'))
    expect(quota.used).toBe(rows.reduce((sum, row) => sum + row.total_tokens, 0))
    const chat = rows.find(({ key }) => key === 'chat')
    return { requests: chat?.requests ?? 0, tokens: chat?.total_tokens ?? 0 }
  }

  /** Asks, and kills when what that used waits on disk. @returns the tokens, and what was used before. */
  async function leaveWaiting() {
    const begun = await begin()
    // The meter has come to know the space, and the session has its title.
    await begun.ask()
    const before = await chatOf(begun.tenant)
    const tokens = await begun.ask()
    await server.kill()
    expect(countWaiting(begun.session)).toBe(1)
    return { ...begun, tokens, before, both: add(before, tokens) }
  }
  const add = ({ requests, tokens }: { requests: number; tokens: number }, more: number) => ({
    requests: requests + 1,
    tokens: tokens + more,
  })

  /** Turns whose row says that what they used waits: only of a server that does not run. */
  function countWaiting(session: string): number {
    let waiting = 0
    server.databases((database) => {
      if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'turn_slots'").get()) {
        const row = database
          .prepare(
            `SELECT count(*) AS n FROM turn_slots t JOIN sessions s ON s.id = t.session_id, json_each(s.outbox) o
             WHERE o.value ->> 'turn' = t.id AND o.value ->> 'waits' AND t.over = 0 AND s.id = ?`,
          )
          .get(session)
        waiting += Number(row?.n)
      }
    })
    return waiting
  }

  it('a turn whose job is done is over on disk: nobody hands it on once more', async () => {
    const { tenant, session } = await begin()
    // The last thing that the job does.
    await waitFor(async () => {
      const { json } = await tenant.call('GET', '/v1/manage/users?q=ann')
      return json.items[0]?.session_count === 1
    })
    await server.kill()
    const slots: unknown[] = []
    server.databases((database) => {
      if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'turn_slots'").get())
        slots.push(
          ...database.prepare('SELECT over FROM turn_slots WHERE session_id = ?').all(session),
        )
    })
    expect(slots).toEqual([{ over: 1 }])
    await server.start()
  })

  it('whoever reads usage and quota hears of it, once', async () => {
    const { tenant, both } = await leaveWaiting()
    await server.start()
    expect(await chatOf(tenant)).toEqual(both)
    expect(await chatOf(tenant)).toEqual(both)
  })

  it.each([0, 15, 40, 100, 400])(
    'it is booked once, when the next turn is cut off %i ms after it was asked',
    async (delayMs) => {
      const { tenant, session, both, space } = await leaveWaiting()
      const at = { 'x-space-id': space }
      await server.start()
      const next = tenant
        .as('ann', 'POST', '/v1/chat', { message: QUESTION, session_id: session }, at)
        .catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      await next
      await server.start()
      // Whoever comes finds a turn that was cut off ended.
      const { json: messages } = await expectOk(
        tenant.as('ann', 'GET', `/me/sessions/${session}/messages`, undefined, at),
      )
      const replies = messages.filter(
        ({ role, status }: { role: string; status: string }) =>
          role === 'assistant' && status === 'complete',
      )
      const used = await chatOf(tenant)
      expect(used.requests).toBe(replies.length)
      if (used.requests === both.requests) expect(used).toEqual(both)
      expect(await chatOf(tenant)).toEqual(used)
    },
  )

  it('a turn that was handed on is none that was cut off, whatever slot the next one takes', async () => {
    const begun = await begin()
    const { tenant, ask, space, session } = begun
    for (let n = 0; n < 3; n++) await ask()
    // Whoever reads what was used has all turns handed on; the next one takes one of their slots.
    await chatOf(tenant)
    await ask()
    await server.kill()
    await server.start()
    await ask()
    const at = { 'x-space-id': space }
    const { json } = await expectOk(
      tenant.as('ann', 'GET', `/me/sessions/${session}/messages`, undefined, at),
    )
    expect(json.map(({ status }: { status: string }) => status)).not.toContain('failed')
  })

  it.each<[string, (begun: Begun) => Promise<{ status: number }>]>([
    ['session', ({ tenant, session }) => tenant.as('ann', 'DELETE', `/me/sessions/${session}`)],
    ['space', ({ tenant, space }) => tenant.as('ann', 'DELETE', `/me/spaces/${space}`)],
    [
      'user',
      async ({ tenant }) => {
        const { json } = await expectOk(tenant.as('ann', 'GET', '/me'))
        return tenant.call('DELETE', `/v1/manage/users/${json.user_id}`)
      },
    ],
    [
      'space that is merged',
      ({ tenant, space, home }) =>
        tenant.as('ann', 'POST', `/me/spaces/${space}/merge`, { target_space_id: home }),
    ],
  ])('it is told before its %s goes', async (_, remove) => {
    const begun = await leaveWaiting()
    await server.start()
    expect((await remove(begun)).status).toBeLessThan(300)
    const used = await waitFor(async () => {
      const found = await chatOf(begun.tenant)
      return found.requests >= begun.both.requests ? found : null
    })
    expect(used).toEqual(begun.both)
  })
})
