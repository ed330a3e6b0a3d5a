import { describe, expect, it } from 'vitest'
import { METER_MIGRATIONS } from '../../../durable-objects/tenant-meter/schema'
import { UserDays } from '../../../durable-objects/tenant-meter/user-days'
import { HOUR_MS } from '../../../src/config/limits'
import { dayName } from '../../../src/usage/meter-types'
import { NodeStorage } from '../../support/node-object'
import { chatUsage } from '../../support/usage-entry'

const NOW = Date.parse('2026-11-10T12:00:00Z')
const END = NOW + 12 * HOUR_MS

const rule = (limit: number, endsAt = END) => ({ name: dayName('ann'), limit, endsAt })
const ofAgent = (limit: number) => ({ name: dayName('ann', 'desk'), limit, endsAt: END })
const used = (tokens: number, agentId = 'desk', userId = 'ann') =>
  chatUsage(tokens, { agentId, userId })

/** The days of a meter, and of one that wakes on the same storage. */
function startDays() {
  const storage = new NodeStorage()
  for (const migration of METER_MIGRATIONS) storage.db.exec(migration)
  const wake = () => {
    const days = new UserDays(storage.open(() => {}).sql)
    days.load()
    return days
  }
  return { days: wake(), wake, rows: () => storage.db.prepare('SELECT * FROM user_days').all() }
}

describe('the tokens of a user’s day', () => {
  it('are full when they reach a ceiling, until the day ends, also for a meter that wakes', () => {
    const { days, wake } = startDays()
    days.begin('a', [rule(100)], 60, NOW)
    days.book('a', [used(99)], NOW)
    expect(days.fullUntil([rule(100)], NOW)).toBeNull()
    days.begin('b', [rule(100)], 60, NOW)
    days.book('b', [used(1)], NOW)
    for (const one of [days, wake()]) {
      expect(one.fullUntil([rule(100)], NOW)).toBe(END)
      expect(one.fullUntil([rule(101)], NOW)).toBeNull()
      expect(one.fullUntil([rule(100)], END)).toBeNull()
    }
    const woken = wake()
    woken.book('c', [used(1)], NOW)
    expect(woken.fullUntil([rule(101)], NOW)).toBe(END)
  })

  it('are those of each ceiling: of all agents, and of one', () => {
    const { days } = startDays()
    days.begin('a', [rule(1000), ofAgent(100)], 60, NOW)
    days.book('a', [used(60), used(60, 'other'), used(500, 'desk', 'bea')], NOW)
    expect(days.fullUntil([rule(121), ofAgent(61)], NOW)).toBeNull()
    expect(days.fullUntil([rule(121), ofAgent(60)], NOW)).toBe(END)
    expect(days.fullUntil([rule(120), ofAgent(61)], NOW)).toBe(END)
  })

  it('begin anew with the first turn of the next day', () => {
    const { days, rows } = startDays()
    const [late, next] = [END - 1, END + 24 * HOUR_MS]
    days.begin('a', [rule(100)], 60, late)
    days.begin('b', [rule(100, next)], 60, END)
    days.book('a', [used(30)], END)
    days.book('b', [used(40)], END)
    expect(days.fullUntil([rule(70)], END)).toBe(next)
    expect(days.fullUntil([rule(71)], END)).toBeNull()
    days.purge(next - 1)
    expect(rows()).toHaveLength(1)
    days.purge(next)
    expect(rows()).toEqual([])
  })

  it('are not counted of users without a ceiling', () => {
    const { days, rows } = startDays()
    days.begin('a', [], 60, NOW)
    days.book('a', [used(30)], NOW)
    expect(rows()).toEqual([])
  })

  it('wait for running turns, but for the oldest, that are not over or given up', () => {
    const { days } = startDays()
    days.begin('oldest', [rule(100)], 100, NOW)
    expect(days.fullUntil([rule(100)], NOW)).toBeNull()
    days.begin('more', [rule(100)], 99, NOW)
    days.begin('foreign', [{ ...rule(100), name: dayName('bea') }], 100, NOW)
    expect(days.fullUntil([rule(100)], NOW)).toBeNull()
    days.begin('most', [rule(100)], 1, NOW)
    expect(days.fullUntil([rule(100)], NOW)).toBe('running')
    days.forget((id) => id !== 'most')
    expect(days.fullUntil([rule(100)], NOW)).toBeNull()
    days.begin('again', [rule(100)], 1, NOW)
    expect(days.fullUntil([rule(100)], NOW)).toBe('running')
    days.book('more', [], NOW)
    expect(days.fullUntil([rule(100)], NOW)).toBeNull()
  })
})
