import { afterEach, describe, expect, it, vi } from 'vitest'
import { readFilters } from '../../../../src/web/console/audit/filters'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('the days of the audit trail', () => {
  const between = (from: string, to: string) => {
    const query = new URLSearchParams({ date_from: from, date_to: to })
    const { date_from, date_to } = readFilters(query)
    return [date_from, date_to]
  }

  it.each([
    ['UTC', '2026-11-27T00:00:00.000Z', '2026-11-27T23:59:59.999Z'],
    ['Asia/Tokyo', '2026-11-26T15:00:00.000Z', '2026-11-27T14:59:59.999Z'],
    ['America/Los_Angeles', '2026-11-27T08:00:00.000Z', '2026-11-28T07:59:59.999Z'],
    ['Pacific/Kiritimati', '2026-11-26T10:00:00.000Z', '2026-11-27T09:59:59.999Z'],
  ])('are those of the clock by which entries are shown, in %s', (zone, from, to) => {
    vi.stubEnv('TZ', zone)
    expect(between('2026-11-27', '2026-11-27')).toEqual([from, to])
  })

  it('may have 25 hours', () => {
    vi.stubEnv('TZ', 'Europe/Paris')
    expect(between('2026-10-25', '2026-10-25')).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T22:59:59.999Z',
    ])
  })

  it('are left to the API where they are none', () => {
    expect(between('soon', '')).toEqual(['soon', ''])
    expect(readFilters(new URLSearchParams())).toMatchObject({ date_from: null, date_to: null })
  })
})
