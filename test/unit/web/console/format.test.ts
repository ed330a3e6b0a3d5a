import { describe, expect, it } from 'vitest'
import { createFormat } from '../../../../src/web/console/format'

const NOW = Date.parse('2026-11-27T12:00:00Z')
const SECOND = 1000
const DAY = 86_400 * SECOND

describe('how far a moment is from now', () => {
  const en = createFormat('en')

  it.each([
    [0, 'now'],
    [59 * SECOND, '59 seconds ago'],
    [60 * SECOND, '1 minute ago'],
    [DAY - SECOND, '23 hours ago'],
    [DAY, 'yesterday'],
    [29 * DAY, '29 days ago'],
    [30 * DAY, 'last month'],
    [400 * DAY, 'last year'],
  ])('%i ms: %s', (ms, words) => {
    expect(en.ago(NOW - ms, NOW)).toBe(words)
  })

  it('is no time to come where a browser’s clock is behind, nor one past where it is ahead', () => {
    for (const behind of [10 * 60 * SECOND, 3 * DAY]) {
      expect(en.ago(NOW, NOW - behind)).toBe('now')
      expect(en.ahead(NOW, NOW + behind)).toBe('now')
    }
    expect(createFormat('ar').ago(NOW, NOW - DAY)).toBe('الآن')
    expect(en.ahead(NOW + 3 * DAY, NOW)).toBe('in 3 days')
  })

  it('of a wait says no less than what is to pass', () => {
    expect([37, 90, 3601, 27 * 86_400].map(en.wait)).toEqual([
      'in 37 seconds',
      'in 2 minutes',
      'in 2 hours',
      'in 27 days',
    ])
  })
})
