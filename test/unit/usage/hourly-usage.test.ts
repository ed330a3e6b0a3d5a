import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { HourlyUsage } from '../../../durable-objects/tenant-meter/hourly-usage'
import { METER_MIGRATIONS } from '../../../durable-objects/tenant-meter/schema'
import { HOUR_MS } from '../../../src/config/limits'
import { chatUsage } from '../../support/usage-entry'

const NOON = Date.parse('2026-11-22T12:00:00Z')

interface Asked {
  text: string
  values: unknown[]
}

/** The hours of a meter, with what D1 was told. */
function openHours() {
  const db = new DatabaseSync(':memory:')
  for (const migration of METER_MIGRATIONS) db.exec(migration)
  const sql = {
    exec(text: string, ...values: SQLInputValue[]) {
      const rows = db.prepare(text).all(...values)
      return { toArray: () => rows, one: () => rows[0] }
    },
  }
  const told: Asked[] = []
  const d1 = {
    isAway: false,
    prepare: (text: string) => ({ bind: (...values: unknown[]) => ({ text, values }) }),
    batch: async (statements: Asked[]) => {
      if (d1.isAway) throw new Error('D1 is away')
      told.push(...statements)
    },
  }
  const storage = { sql, transactionSync: (work: () => void) => work() }
  const usage = new HourlyUsage(
    storage as unknown as DurableObjectStorage,
    d1 as unknown as D1Database,
  )
  const ask = (userId: string, at: number) =>
    usage.book(chatUsage(2, { userId, seen: { at, keyId: 'key' } }), at)
  /** Who was said to be seen when, since it was last asked. */
  const seen = () =>
    told
      .splice(0)
      .filter(({ text }) => text.startsWith('UPDATE users'))
      .flatMap(
        ({ values }) => JSON.parse(String(values[1])) as { user_id: string; seen_at: number }[],
      )
      .map(({ user_id, seen_at }) => [user_id, seen_at])
  return {
    usage,
    d1,
    told,
    ask,
    seen,
    kept: () => db.prepare('SELECT hour FROM usage').all().length,
  }
}

describe('what was used', () => {
  it('is added to what D1 has of its hour where it comes an hour late', async () => {
    const { usage, told, ask } = openHours()
    ask('ada', NOON + HOUR_MS - 2)
    await usage.flush('acme')
    await usage.noteSeen('acme', NOON)
    usage.purge(NOON + 2 * HOUR_MS - 1)
    told.length = 0
    ask('ada', NOON + HOUR_MS - 1)
    await usage.flush('acme')
    const rows = told.flatMap(({ values }) => JSON.parse(String(values[1])))
    expect(rows).toEqual([expect.objectContaining({ hour: NOON, requests: 2, input_tokens: 2 })])
  })
})

describe('when users and keys were last seen', () => {
  it('is no part of the usage that D1 hears of', async () => {
    const { usage, told, ask } = openHours()
    ask('ada', NOON + 1)
    expect(await usage.flush('acme')).toBe(true)
    expect(told.map(({ text }) => text.slice(0, 24))).toEqual(['INSERT INTO usage_hourly'])
  })

  it('is told of an hour that is over, once, and of the running one to who asks', async () => {
    const { usage, ask, seen } = openHours()
    ask('ada', NOON + 1)
    ask('bob', NOON + HOUR_MS + 1)
    await usage.noteSeen('acme', NOON)
    expect(seen()).toEqual([['ada', NOON + 1]])
    await usage.noteSeen('acme', NOON + HOUR_MS)
    expect(seen()).toEqual([['bob', NOON + HOUR_MS + 1]])
    await usage.noteSeen('acme', NOON + HOUR_MS)
    expect(seen()).toEqual([])
    ask('bob', NOON + HOUR_MS + 2)
    await usage.noteSeen('acme', NOON + HOUR_MS)
    expect(seen()).toEqual([['bob', NOON + HOUR_MS + 2]])
  })

  it('is kept until D1 has heard of it', async () => {
    const { usage, d1, ask, seen, kept } = openHours()
    ask('ada', NOON + 1)
    await usage.flush('acme')
    d1.isAway = true
    expect(await usage.noteSeen('acme', NOON)).toBe(false)
    usage.purge(NOON + 48 * HOUR_MS)
    expect(kept()).toBe(1)
    d1.isAway = false
    expect(await usage.noteSeen('acme', NOON)).toBe(true)
    expect(seen()).toEqual([['ada', NOON + 1]])
    usage.purge(NOON + 48 * HOUR_MS)
    expect(kept()).toBe(0)
  })
})
