import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/config/limits'
import { countCall } from '../../../src/usage/windows'

const NOW = Date.parse('2026-11-27T12:00:00Z')
const RULE = { name: 'login', limit: 2, windowS: 60 }
const FULL = { startedAt: NOW, count: 2 }

describe('a window of calls', () => {
  it('is shut until it turns, to the millisecond, and says so in whole seconds', () => {
    const wait = (after: number) => {
      const counted = countCall(FULL, RULE, NOW + after)
      return counted.ok ? counted.window : counted.retryAfterS
    }
    expect([0, 1, 59_000, 59_999].map(wait)).toEqual([60, 60, 1, 1])
    expect(wait(60_000)).toEqual({ startedAt: NOW + 60_000, count: 1 })
  })

  it('is no longer shut than that for a clock that is set back', () => {
    const days = NOW - 72 * HOUR_MS
    expect(countCall(FULL, RULE, days)).toEqual({
      ok: true,
      window: { startedAt: days, count: 1 },
    })
    expect(countCall(FULL, RULE, NOW - 1000)).toEqual({ ok: false, retryAfterS: 61 })
  })
})
