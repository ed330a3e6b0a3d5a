import { describe, expect, it } from 'vitest'
import { lastPeriods, namePeriod, startOfPeriod } from '../../../src/usage/periods'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const at = (text: string) => Date.parse(text)

describe('startOfPeriod', () => {
  it('a week begins on Monday, UTC', () => {
    for (const day of [
      '2026-11-16T00:00:00Z',
      '2026-11-18T12:30:00Z',
      '2026-11-22T23:59:59.999Z',
    ]) {
      expect(startOfPeriod('week', at(day))).toBe(at('2026-11-16T00:00:00Z'))
    }
    expect(startOfPeriod('week', at('2026-11-23T00:00:00Z'))).toBe(at('2026-11-23T00:00:00Z'))
    expect(startOfPeriod('day', at('2026-11-21T23:59:59Z'))).toBe(at('2026-11-21T00:00:00Z'))
    expect(startOfPeriod('hour', at('2026-11-21T10:59:59Z'))).toBe(at('2026-11-21T10:00:00Z'))
  })
})

describe('namePeriod', () => {
  it.each([
    ['2026-11-16', '2026-W47'],
    ['2025-12-29', '2026-W01'],
    ['2026-12-28', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2020-12-28', '2020-W53'],
    ['2024-12-30', '2025-W01'],
    ['2018-01-01', '2018-W01'],
  ])('the week of Monday %s is %s', (monday, key) => {
    expect(namePeriod('week', at(`${monday}T00:00:00Z`))).toEqual({ key, label: monday })
  })

  it('names hours and days', () => {
    expect(namePeriod('hour', at('2026-11-21T10:00:00Z')).key).toBe('2026-11-21T10:00:00Z')
    expect(namePeriod('day', at('2026-11-21T00:00:00Z')).key).toBe('2026-11-21')
  })
})

describe('lastPeriods', () => {
  it('ends with the current one', () => {
    expect(lastPeriods('hour', 3, at('2026-11-21T01:30:00Z'))).toEqual([
      at('2026-11-20T23:00:00Z'),
      at('2026-11-21T00:00:00Z'),
      at('2026-11-21T01:00:00Z'),
    ])
    expect(lastPeriods('day', 2, at('2026-03-01T12:00:00Z'))).toEqual([
      at('2026-02-28'),
      at('2026-03-01'),
    ])
    expect(lastPeriods('day', 366, at('2026-11-21T01:30:00Z'))[0]).toBe(
      at('2026-11-21') - 365 * DAY,
    )
  })
})
