import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { type SeededTenant, seedAgent, seedTenant } from '../support/seed'
import { insertStoryline } from '../support/storylines'

const STEPS = 40
const step = (n: number) => `n${String(n).padStart(2, '0')}`

/** Forty questions, each with one answer: where somebody stands says how many were answered. */
const FLOW = {
  key: 'steps',
  name: 'Steps',
  display_name: 'Forty steps',
  description: '',
  agent_name: 'desk',
  user_visibility: 'title',
  entry: 'menu',
  enroll_trigger: 'manual',
  on_complete: 'return',
  allow_exit: true,
  show_profile: true,
  profile_schema: {
    properties: Object.fromEntries(
      Array.from({ length: STEPS }, (_, n) => [step(n), { type: 'string', enum: ['on'] }]),
    ),
  },
  graph: {
    schema: 1,
    start: step(0),
    nodes: {
      ...Object.fromEntries(
        Array.from({ length: STEPS }, (_, n) => [
          step(n),
          {
            type: 'collect',
            slots: [{ slot: step(n), ask: `Step ${n}?` }],
            exits: [{ id: 'go', to: n + 1 < STEPS ? step(n + 1) : 'over', on: 'done' }],
          },
        ]),
      ),
      over: { type: 'end', outcome: 'over' },
    },
  },
}

describe('kill -9 in a storyline turn', { timeout: 180_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  const id = crypto.randomUUID()

  beforeAll(async () => {
    server = await startKillable()
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
    await server.kill()
    server.databases((database) => {
      const [found] = database
        .prepare("SELECT name FROM sqlite_master WHERE name = 'storyline_revisions'")
        .all()
      if (!found) return
      for (const { sql, values } of insertStoryline(tenant, FLOW, { id }))
        database.prepare(sql).run(...values)
    })
    await server.start()
  }, 90_000)
  afterAll(() => server.dispose())

  it('nothing is moved twice and no answer is lost, wherever it is cut off', async () => {
    const ask = (message: string, session?: string) =>
      tenant.as('ann', 'POST', '/v1/chat', {
        message,
        agent: 'desk',
        ...(session ? { session_id: session } : {}),
      })
    const session: string = (await ask('Forty steps')).json.session_id
    const noted = (answer: Awaited<ReturnType<typeof ask>>): number =>
      answer.json.storyline.noted.length
    for (const delayMs of [0, 6, 15, 30, 60, 120]) {
      const cut = ask('on', session).catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      await server.kill()
      await cut
      await server.start()
      const answer = await ask('on', session)
      expect(answer.status, answer.text).toBe(200)
      const { json } = await tenant.as('ann', 'GET', `/me/sessions/${session}/messages?limit=500`)
      const replies = json.filter(
        ({ role, status }: { role: string; status: string }) =>
          role === 'assistant' && status === 'complete',
      )
      // The first reply asked the first question; each one after it noted one answer.
      expect(noted(answer)).toBe(replies.length - 1)
      expect(answer.json.reply).toBe(`Step ${replies.length - 1}?`)
    }
  })
})
