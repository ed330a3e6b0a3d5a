import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { HourlyUsage } from '../../../durable-objects/tenant-meter/hourly-usage'
import { METER_MIGRATIONS } from '../../../durable-objects/tenant-meter/schema'
import { TokenLedger } from '../../../durable-objects/tenant-meter/token-ledger'
import { HOUR_MS } from '../../../src/config/limits'
import type { UsageEntry } from '../../../src/usage/meter-types'

const NOVEMBER = Date.parse('2026-11-30T23:30:00Z')
const DECEMBER = NOVEMBER + HOUR_MS

const used = (tokens: number, userId = 'user'): UsageEntry => ({
  agentId: 'agent',
  userId,
  spaceId: 'space',
  model: 'model',
  kind: 'chat',
  requests: 1,
  inputTokens: tokens - 1,
  outputTokens: 1,
  cachedTokens: 0,
  events: 0,
})

/** A meter's storage, and the objects that wake on it. @param write what D1 does with a batch */
function startMeter(write: () => Promise<void> = async () => undefined) {
  const db = new DatabaseSync(':memory:')
  const sql = {
    exec(text: string, ...values: SQLInputValue[]) {
      const rows = db.prepare(text).all(...values)
      return Object.assign(rows, { toArray: () => rows, one: () => rows[0] })
    },
  } as unknown as SqlStorage
  const storage = { sql, transactionSync: (work: () => void) => work() }
  const statement = { bind: () => statement }
  const d1 = { prepare: () => statement, batch: write }
  const wake = () => {
    const usage = new HourlyUsage(
      storage as unknown as DurableObjectStorage,
      d1 as unknown as D1Database,
    )
    const ledger = new TokenLedger(sql, usage)
    ledger.load()
    return { usage, ledger }
  }
  return {
    db,
    wake,
    migrate: (from = 0) => {
      for (const migration of METER_MIGRATIONS.slice(from)) db.exec(migration)
    },
  }
}

describe('the tokens of a month', () => {
  it('are the same to the token for a meter that wakes, whether D1 has heard of them or not', async () => {
    const { wake, migrate } = startMeter()
    migrate()
    const { ledger, usage } = wake()
    ledger.settle('a', [used(100), used(20, 'other')], NOVEMBER)
    expect(wake().ledger.used(NOVEMBER)).toBe(120)
    await usage.flush('tenant')
    expect(wake().ledger.used(NOVEMBER)).toBe(120)
    ledger.settle('b', [used(7)], NOVEMBER)
    expect(wake().ledger.used(NOVEMBER)).toBe(127)
    usage.purge(NOVEMBER + 24 * HOUR_MS)
    expect(wake().ledger.used(NOVEMBER)).toBe(127)
    await usage.flush('tenant')
    usage.purge(NOVEMBER + 24 * HOUR_MS)
    expect(wake().ledger.used(NOVEMBER)).toBe(127)
    expect(ledger.used(NOVEMBER)).toBe(127)
  })

  it('begin anew with the month', async () => {
    const { wake, migrate } = startMeter()
    migrate()
    const { ledger, usage } = wake()
    ledger.settle('a', [used(100)], NOVEMBER)
    ledger.settle('b', [used(5)], DECEMBER)
    expect(ledger.used(DECEMBER)).toBe(5)
    await usage.flush('tenant')
    expect(wake().ledger.used(NOVEMBER)).toBe(100)
    expect(wake().ledger.used(DECEMBER)).toBe(5)
  })

  it('are counted once when two write at once and a turn ends meanwhile', async () => {
    const waiting: (() => void)[] = []
    const { db, wake, migrate } = startMeter(() => new Promise((done) => waiting.push(done)))
    migrate()
    const { ledger, usage } = wake()
    ledger.settle('a', [used(100)], NOVEMBER)
    const both = [usage.flush('tenant'), usage.flush('tenant')]
    ledger.settle('b', [used(30)], NOVEMBER)
    let open = true
    const all = Promise.all(both).then(() => {
      open = false
    })
    while (open) {
      for (const done of waiting.splice(0)) done()
      await Promise.resolve()
    }
    await all
    expect(wake().ledger.used(NOVEMBER)).toBe(130)
    expect(db.prepare('SELECT used FROM months').all()).toEqual([{ used: 130 }])
    expect(db.prepare('SELECT count(*) AS n FROM usage WHERE dirty = 1').get()).toEqual({ n: 0 })
  })

  it('write no month while turns end', () => {
    const { db, wake, migrate } = startMeter()
    migrate()
    wake().ledger.settle('a', [used(100)], NOVEMBER)
    expect(db.prepare('SELECT * FROM months').all()).toEqual([])
  })

  it('stay what they were in a meter that wrote a month at each turn', () => {
    const { db, wake, migrate } = startMeter()
    for (const migration of METER_MIGRATIONS.slice(0, 3)) db.exec(migration)
    db.exec("INSERT INTO months VALUES ('2026-11', 500)")
    db.exec(
      `INSERT INTO usage VALUES (${Math.floor(NOVEMBER / HOUR_MS) * HOUR_MS}, 'agent', 'user', 'space', 'model', 'chat', 1, 99, 1, 0, 0, 1, 0)`,
    )
    migrate(3)
    const { ledger } = wake()
    expect(ledger.used(NOVEMBER)).toBe(500)
    ledger.settle('a', [used(10)], NOVEMBER)
    expect(wake().ledger.used(NOVEMBER)).toBe(510)
  })
})
