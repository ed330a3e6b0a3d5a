import { describe, expect, it } from 'vitest'
import { startOfPeriod } from '../../../../src/usage/periods'
import { namedPlaces, stackHeights } from '../../../../src/web/console/usage/bars'
import { usageCsv } from '../../../../src/web/console/usage/csv'
import {
  everyPeriod,
  nameOfPeriod,
  partsOf,
  periodPoints,
  startOf,
} from '../../../../src/web/console/usage/periods'
import type { UsageRow } from '../../../../src/web/console/usage/types'

const NOW = Date.parse('2026-11-26T21:00:00Z')
const row = (label: string, fields: Partial<UsageRow> = {}): UsageRow => ({
  key: label,
  label,
  requests: 1,
  input_tokens: 100,
  output_tokens: 20,
  cached_tokens: 30,
  total_tokens: 120,
  estimated_tokens: 0,
  events: 1,
  ...fields,
})

describe('bars', () => {
  it('are drawn from the whole height down, so that what stands below covers it', () => {
    const points = [
      { key: 'a', label: 'a', values: [1, 2, 4] },
      { key: 'b', label: 'b', values: [8] },
    ]
    expect(stackHeights(points, 3)).toEqual([
      [7, 8],
      [3, 8],
      [1, 8],
    ])
    expect(stackHeights([], 2)).toEqual([[], []])
  })

  it('are named evenly apart, as many as have room', () => {
    expect(namedPlaces(5, 10)).toEqual([0, 1, 2, 3, 4])
    expect(namedPlaces(10, 4)).toEqual([0, 3, 6, 9])
    expect(namedPlaces(3, 0)).toEqual([0])
    expect(namedPlaces(0, 4)).toEqual([])
  })

  it('have parts that make up the total', () => {
    const parts = partsOf(row('x'))
    expect(parts).toEqual([20, 70, 30])
    expect(parts.reduce((sum, n) => sum + n, 0)).toBe(120)
  })
})

describe('periods', () => {
  it.each(['hour', 'day', 'week'] as const)(
    'of each %s begin where the service lets them begin',
    (period) => {
      const all = everyPeriod([], period, NOW - 20 * 86_400_000, NOW)
      expect(all.length).toBeGreaterThan(2)
      for (const { at } of all) expect(startOfPeriod(period, at)).toBe(at)
      expect(all.at(-1)?.at).toBe(startOfPeriod(period, NOW))
    },
  )

  it('without usage stand between those with some', () => {
    const rows = [row('2026-11-24'), row('2026-11-26')]
    const points = periodPoints(rows, 'day', { start: startOf('3d', NOW), now: NOW }, String)
    expect(points.map(({ values }) => values[0])).toEqual([0, 20, 0, 20])
  })

  it('are the newest ones where they are too many to be drawn', () => {
    const all = everyPeriod([], 'hour', NOW - 400 * 86_400_000, NOW)
    expect(all).toHaveLength(750)
    expect(all.at(-1)?.at).toBe(NOW)
  })

  it('begin at a span or at a date, else 30 days ago', () => {
    expect(startOf('24h', NOW)).toBe(NOW - 86_400_000)
    expect(startOf('2026-11-01', NOW)).toBe(Date.parse('2026-11-01T00:00:00Z'))
    expect(startOf('nonsense', NOW)).toBe(NOW - 30 * 86_400_000)
  })

  it('are named in UTC, whatever zone the reader is in', () => {
    expect(nameOfPeriod('day', 'en')(Date.parse('2026-11-26T00:00:00Z'))).toBe('Nov 26')
  })
})

it('the file has the API’s names, and runs nothing in a spreadsheet', () => {
  const text = usageCsv({ rows: [row('=1+1, "x"', { key: 'u1' })] })
  expect(text).toBe(
    'key,label,requests,input_tokens,output_tokens,cached_tokens,total_tokens,estimated_tokens,events\r\n' +
      'u1,"\'=1+1, ""x""",1,100,20,30,120,0,1\r\n',
  )
})
