import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { HourlyUsage } from '../../../durable-objects/tenant-meter/hourly-usage'
import { METER_MIGRATIONS } from '../../../durable-objects/tenant-meter/schema'
import { TokenLedger } from '../../../durable-objects/tenant-meter/token-ledger'
import { HOUR_MS, MINUTE_MS } from '../../../src/config/limits'
import { chatUsage } from '../../support/usage-entry'

const NOVEMBER = Date.parse('2026-11-30T23:30:00Z')
const DECEMBER = NOVEMBER + HOUR_MS

const used = (tokens: number, userId = 'user') => chatUsage(tokens, { userId })

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
  const wake = (now = NOVEMBER) => {
    const usage = new HourlyUsage(
      storage as unknown as DurableObjectStorage,
      d1 as unknown as D1Database,
    )
    const ledger = new TokenLedger(sql, usage)
    ledger.load(now)
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
    expect(wake().ledger.used(NOVEMBER)).toBe(100)
    await usage.flush('tenant')
    expect(wake().ledger.used(NOVEMBER)).toBe(100)
    expect(wake(DECEMBER).ledger.used(DECEMBER)).toBe(5)
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

describe('what turns have reserved', () => {
  const CEILING = 2_000_000
  const soon = (now: number) => now + 6 * MINUTE_MS
  const begin = (
    ledger: TokenLedger,
    id: string,
    tokens: number,
    limit = CEILING,
    now = NOVEMBER,
  ) => ledger.reserve(id, tokens, soon(now), limit, now, true)

  it('is no row of its own far from the ceiling: the mark is written once in many turns', () => {
    const { db, wake, migrate } = startMeter()
    migrate()
    const { ledger } = wake()
    const marks = new Set<unknown>()
    for (let n = 0; n < 100; n++) {
      begin(ledger, `turn-${n}`, 9000)
      marks.add(db.prepare('SELECT tokens FROM high_water').get()?.tokens)
      ledger.settle(`turn-${n}`, [used(3000)], NOVEMBER)
    }
    expect(db.prepare('SELECT * FROM reservations').all()).toEqual([])
    expect(marks.size).toBeLessThanOrEqual(16)
    expect(ledger.used(NOVEMBER)).toBe(300_000)
  })

  it('may wait from the second turn of its space on, however far away the ceiling is', () => {
    const { db, wake, migrate } = startMeter()
    migrate()
    const { ledger } = wake()
    const letIn = (id: string, userId: string, now: number) => {
      const space = { tenantId: 'tenant', userId, spaceId: 'home' }
      ledger.waiting.note(space, now)
      expect(ledger.reserve(id, 100, now + MINUTE_MS, 1e12, now, true)).toBe(true)
      return ledger.mayWait(id, space, now)
    }
    // The mark is written twice, the second time far ahead.
    expect(letIn('a', 'ann', NOVEMBER)).toBe(true)
    expect(letIn('b', 'bea', NOVEMBER)).toBe(true)
    const mark = () => ({ ...db.prepare('SELECT tokens, spaces FROM high_water').get() })
    const before = mark()
    expect(letIn('c', 'cem', NOVEMBER)).toBe(false)
    expect(mark()).toEqual(before)
    expect(letIn('d', 'cem', NOVEMBER + MINUTE_MS)).toBe(true)
    expect(mark()).toEqual({ tokens: before.tokens, spaces: expect.stringContaining('cem') })
    // Who wakes asks for them.
    expect(
      wake(NOVEMBER + MINUTE_MS).ledger.waiting.mayWait(
        'e',
        { tenantId: 'tenant', userId: 'cem', spaceId: 'home' },
        NOVEMBER + MINUTE_MS,
      ),
    ).toBe(true)
  })

  it('is held by a meter that wakes, until it was settled or can be under way no longer', () => {
    const { wake, migrate } = startMeter()
    migrate()
    begin(wake().ledger, 'turn', 9000)
    const { ledger } = wake()
    const tight = 10_000
    expect(begin(ledger, 'other', 2000, tight)).toBe(false)
    ledger.settle('turn', [used(5000)], NOVEMBER)
    expect(ledger.used(NOVEMBER)).toBe(5000)
    expect(begin(ledger, 'other', 1001, tight)).toBe(false)
    expect(begin(ledger, 'small', 1000, tight)).toBe(true)
    expect(begin(ledger, 'other', 2000, tight, NOVEMBER + 11 * MINUTE_MS)).toBe(true)
  })

  it('is held by a meter that wakes twice, each token once', () => {
    const { wake, migrate } = startMeter()
    migrate()
    begin(wake().ledger, 'first', 9000)
    begin(wake().ledger, 'second', 9000)
    const { ledger } = wake()
    ledger.settle('first', [used(5000)], NOVEMBER)
    expect(begin(ledger, 'other', 2001, 20_000)).toBe(false)
    expect(begin(ledger, 'other', 2000, 20_000)).toBe(true)
  })

  it('is held by a meter that wakes in a new month, with a lower mark than the old one had', () => {
    const { wake, migrate } = startMeter()
    migrate()
    const { ledger } = wake()
    begin(ledger, 'old', 9000)
    ledger.settle('old', [used(9000)], NOVEMBER)
    begin(ledger, 'new', 5000, CEILING, DECEMBER)
    const woken = wake(DECEMBER).ledger
    expect(begin(woken, 'other', 5001, 10_000, DECEMBER)).toBe(false)
  })

  it('is a row near the ceiling, also what was reserved before', () => {
    const { db, wake, migrate } = startMeter()
    migrate()
    const { ledger } = wake()
    begin(ledger, 'before', 9000)
    begin(ledger, 'after', 9000, 100_000)
    expect(db.prepare('SELECT id FROM reservations').all()).toEqual([
      { id: 'after' },
      { id: 'before' },
    ])
    const woken = wake().ledger
    expect(begin(woken, 'more', 82_001, 100_000)).toBe(false)
    expect(begin(woken, 'more', 82_000, 100_000)).toBe(true)
    ledger.settle('before', [used(2000)], NOVEMBER)
    expect(begin(wake().ledger, 'most', 7000, 100_000)).toBe(true)
  })

  it('may not wait near the ceiling, where it keeps others out', () => {
    const { wake, migrate } = startMeter()
    migrate()
    const { ledger } = wake()
    const space = { tenantId: 'tenant', userId: 'ann', spaceId: 'home' }
    ledger.waiting.note(space, NOVEMBER)
    begin(ledger, 'far', 9000)
    expect(ledger.mayWait('far', space, NOVEMBER)).toBe(true)
    begin(ledger, 'near', 9000, 100_000)
    expect(ledger.mayWait('near', space, NOVEMBER)).toBe(false)
  })

  it('is settled once, whoever was cut off, for a day', async () => {
    const { wake, migrate } = startMeter()
    migrate()
    const first = wake()
    begin(first.ledger, 'turn', 9000)
    const entries = [used(100), used(20, 'embedder')]
    expect(first.ledger.isSettled('turn', entries, NOVEMBER)).toBe(false)
    first.ledger.settle('turn', entries, NOVEMBER)
    await first.usage.flush('tenant')
    for (const later of [NOVEMBER, NOVEMBER + 3 * HOUR_MS, NOVEMBER + 23 * HOUR_MS]) {
      const { ledger, usage } = wake(later)
      usage.purge(later, true)
      expect([later, ledger.isSettled('turn', entries, later)]).toEqual([later, true])
      expect(ledger.isSettled('another', entries, later)).toBe(false)
    }
  })

  it('refuses nobody for want of tokens that nobody holds, where the meter wakes for each turn', () => {
    const { db, wake, migrate } = startMeter()
    migrate()
    let now = Date.parse('2026-11-10T00:00:00Z')
    const marks: number[] = []
    for (let n = 0; n < 1000; n++) {
      const { ledger } = wake(now)
      expect([n, begin(ledger, `turn-${n}`, 9000, CEILING, now)]).toEqual([n, true])
      ledger.settle(`turn-${n}`, [used(300)], now + 3000)
      const mark = db.prepare('SELECT tokens FROM high_water').get() as { tokens: number }
      marks.push(mark.tokens - ledger.used(now))
      now += MINUTE_MS
    }
    expect(Math.max(...marks)).toBeLessThan(CEILING / 10)
  })

  it('refuses nobody either where a turn reserves more than the steps near the ceiling', () => {
    const { wake, migrate } = startMeter()
    migrate()
    let now = Date.parse('2026-11-10T00:00:00Z')
    for (let n = 0; n < 600; n++) {
      const { ledger } = wake(now)
      expect([n, begin(ledger, `turn-${n}`, 130_000, CEILING, now)]).toEqual([n, true])
      ledger.settle(`turn-${n}`, [used(3000)], now + 3000)
      now += MINUTE_MS
    }
  })

  it('never passes the ceiling, is refused only there, and is booked to the token, wherever the meter is cut off', () => {
    let seed = 11
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let run = 0; run < 40; run++) {
      // Nothing is lost in a meter that is never cut off.
      const isWhole = run % 2 === 1
      const { wake, migrate } = startMeter()
      migrate()
      let { ledger } = wake()
      const limit = 150_000 + random(500_000)
      const running = new Map<string, { tokens: number; until: number }>()
      const openAt = (now: number) =>
        [...running.values()].reduce(
          (sum, { tokens, until }) => sum + (until > now ? tokens : 0),
          0,
        )
      let [now, booked, next] = [Date.parse('2026-11-10T00:00:00Z'), 0, 0]
      for (let step = 0; step < 200; step++) {
        const [id, turn] = [...running][random(running.size || 1)] ?? []
        const what = random(10)
        now += random(20_000)
        if (what === 0 && !isWhole) ledger = wake(now).ledger
        else if (what < 6) {
          const tokens = 1000 + random(40_000)
          // A new turn, a call of no turn, or more for what is under way.
          const name = what === 1 && id ? id : `turn-${next++}`
          const held = running.get(name)?.tokens ?? 0
          if (ledger.reserve(name, tokens, soon(now), limit, now, what > 2))
            running.set(name, { tokens: held + tokens, until: soon(now) })
          else if (isWhole) expect(booked + tokens + openAt(now)).toBeGreaterThan(limit)
        } else if (id && turn) {
          running.delete(id)
          const entries = [used(Math.max(2, random(turn.tokens)))]
          for (let times = 0; times < 2; times++) {
            if (times === 1 && !isWhole && random(2) === 0) ledger = wake(now).ledger
            if (!ledger.isSettled(id, entries, now)) {
              ledger.settle(id, entries, now)
              booked += (entries[0]?.inputTokens ?? 0) + 1
            }
          }
        }
        for (const [name, { until }] of running) if (until <= now) running.delete(name)
        expect(ledger.used(now)).toBe(booked)
        expect(booked + openAt(now)).toBeLessThanOrEqual(limit)
      }
      expect(booked).toBeGreaterThan(0)
    }
  })
})
