import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { isEvent, openLive } from '../support/live-stream'
import { expectOk, type SeededTenant, seedTenant } from '../support/seed'

const USERS = 10
const REMINDERS = 50
const DISCONNECTS = 1000
const DEADLINE_MS = 90_000
const LEAD_MS = 8000

describe('a bad network', { timeout: 180_000 }, () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await startParley({ STREAM_PING_S: '1', LIMITS_REMINDER_LEAD_S: '0' })
    tenant = await seedTenant(parley)
  })
  afterAll(() => parley.close())

  it(`${DISCONNECTS} disconnects while ${USERS * REMINDERS} reminders fall due: none lost, none twice`, async () => {
    const people = Array.from({ length: USERS }, (_, i) => ({
      headers: { 'x-api-key': tenant.key, 'x-end-user': `user-${i}` },
      wanted: new Set<string>(),
    }))
    /** Half of them fall due at once, half spread over the time of the disconnects. */
    const plan = async ({ headers, wanted }: (typeof people)[number]) => {
      const start = Date.now() + LEAD_MS
      await Promise.all(
        Array.from({ length: REMINDERS }, async (_, n) => {
          const at = start + (n % 2 === 0 ? 4000 : n * 200)
          const body = { text: `reminder ${n}`, due_at: new Date(at).toISOString() }
          const { json } = await expectOk(parley.call('POST', '/me/reminders', { headers, body }))
          wanted.add(json.id)
        }),
      )
    }

    let disconnects = 0
    let cutWithNews = 0
    /** One tab that is cut off again and again and always goes on from the last event it saw. */
    const suffer = async ({ headers, wanted }: (typeof people)[number]) => {
      const seen: string[] = []
      let last = 0
      const until = Date.now() + DEADLINE_MS
      while ((seen.length < wanted.size || disconnects < DISCONNECTS) && Date.now() < until) {
        const stream = await openLive(parley.url, { ...headers, 'last-event-id': String(last) })
        expect(stream.status).toBe(200)
        await stream.next(isEvent('hello'))
        if (seen.length < wanted.size) await new Promise((r) => setTimeout(r, Math.random() * 120))
        stream.leave()
        disconnects += 1
        const news = stream.frames.filter(isEvent('reminder'))
        if (news.length > 0) cutWithNews += 1
        seen.push(...news.map(({ data }) => data.id))
        for (const { id } of stream.frames) {
          expect(id).toBeGreaterThanOrEqual(last)
          last = id
        }
      }
      return seen
    }
    const suffering: Promise<string[]>[] = []
    for (const person of people) {
      await plan(person)
      suffering.push(suffer(person))
    }
    const seen = await Promise.all(suffering)
    expect(disconnects).toBeGreaterThanOrEqual(DISCONNECTS)
    expect(cutWithNews).toBeGreaterThan(USERS)
    for (const [i, { wanted, headers }] of people.entries()) {
      expect(seen[i]).toHaveLength(REMINDERS)
      expect(new Set(seen[i])).toEqual(wanted)
      const { json } = await parley.call('GET', '/me/reminders?limit=100', { headers })
      expect(json.items.every(({ status }: { status: string }) => status === 'sent')).toBe(true)
    }
  })
})
