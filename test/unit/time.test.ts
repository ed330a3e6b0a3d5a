import { describe, expect, it } from 'vitest'
import { parseSince, parseWhen } from '../../src/time'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 10, 21, 12)

describe('parseWhen', () => {
  it('takes a day as all of it', () => {
    const start = Date.UTC(2026, 10, 21)
    expect(parseWhen('2026-11-21')).toEqual({ start, end: start + DAY })
  })

  it.each([
    ['2026-11-21T12:00:00Z', NOON],
    ['2026-11-21T12:00:00.250Z', NOON + 250],
    ['2026-11-21T12:00:00', NOON],
    ['2026-11-21 12:00', NOON],
    ['2026-11-21T14:00:00+02:00', NOON],
    ['2026-11-21T14:00:00 02:00', NOON],
    ['2026-11-21T07:00:00-0500', NOON],
    ['2026-11-21t12:00:00z', NOON],
  ])('takes %s as an instant', (text, start) => {
    expect(parseWhen(text)).toEqual({ start, end: start + 1 })
  })

  it.each([
    '',
    'today',
    '2026',
    '2026-02-31',
    '2026-13-01',
    '2026-02-31T10:00:00Z',
    '2026-11-21T25:00:00Z',
    '2026-11-21T',
    'T10:00',
    '2026-11-21Z',
    '1e9',
  ])('refuses %j', (text) => {
    expect(parseWhen(text)).toBeNull()
  })
})

describe('parseSince', () => {
  it('takes spans back from now, days and instants', () => {
    expect(parseSince('7d', NOON)).toBe(NOON - 7 * DAY)
    expect(parseSince('24H', NOON)).toBe(NOON - DAY)
    expect(parseSince('2026-11-20', NOON)).toBe(Date.UTC(2026, 10, 20))
    expect(parseSince('2026-11-21T11:59:59Z', NOON)).toBe(NOON - 1000)
    for (const text of ['d', '7', '-7d', '7w', '123456d', '7d '])
      expect(parseSince(text, NOON)).toBeNull()
  })
})
