import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { isEvent, openLive } from '../support/live-stream'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const COUNT = 20

describe('kill -9 around due reminders', { timeout: 180_000 }, () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable({ STREAM_PING_S: '1', LIMITS_REMINDER_LEAD_S: '0' })
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
  }, 90_000)
  afterAll(() => server.dispose())

  // From well before the first one is due, through the telling, to after the last.
  it.each([-400, 10, 60, 400])(
    'killed %i ms after the first falls due: each is told once, in one order for everybody',
    async (delayMs) => {
      const headers = { 'x-api-key': tenant.key, 'x-end-user': `user${delayMs}` }
      const start = Date.now() + 3000
      const wanted = await Promise.all(
        Array.from({ length: COUNT }, async (_, n) => {
          // Half at once, half one after the other.
          const due_at = new Date(start + (n % 2) * n * 10).toISOString()
          const body = { text: `number ${n}`, due_at }
          const answer = server.parley.call('POST', '/me/reminders', { headers, body })
          return (await expectOk(answer)).json.id as string
        }),
      )
      const before = await openLive(server.parley.url, headers)
      await new Promise((resolve) => setTimeout(resolve, start + delayMs - Date.now()))
      await server.kill()
      await before.ended()
      await server.start()

      const last = before.frames.at(-1)?.id ?? 0
      const after = await openLive(server.parley.url, { ...headers, 'last-event-id': String(last) })
      const told = () => [...before.frames, ...after.frames].filter(isEvent('reminder'))
      await waitFor(async () => (told().length >= COUNT ? true : null))
      await waitFor(async () => (after.pings() >= 4 ? true : null))
      expect(
        told()
          .map(({ data }) => data.id)
          .toSorted(),
      ).toEqual(wanted.toSorted())
      const all = await openLive(server.parley.url, { ...headers, 'last-event-id': '0' })
      await waitFor(async () => (all.frames.length > COUNT ? true : null))
      expect(all.frames.filter(isEvent('reminder'))).toEqual(told())
      after.leave()
      all.leave()
      const { json } = await server.parley.call('GET', '/me/reminders?limit=100', { headers })
      expect(json.items.map(({ status }: { status: string }) => status)).toEqual(
        Array(COUNT).fill('sent'),
      )
    },
  )
})
