import { afterEach, describe, expect, it, vi } from 'vitest'
import { groupByDay, whenIn } from '../../../../../src/web/chat/app/group-by-day'

const now = new Date(2026, 10, 22, 15).getTime()
const chat = (...day: [number, number, number, number]) => ({
  id: day.join('-'),
  title: null,
  updatedAt: new Date(...day).toISOString(),
})

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('the list of chats', () => {
  it('says of each what its group does not (#14.2)', () => {
    const words = { time: () => 'hour', day: () => 'day' }
    const when = (...day: [number, number, number, number]) =>
      whenIn(words, new Date(...day).getTime(), now)
    expect(when(2026, 10, 22, 1)).toBe('hour')
    expect(when(2026, 10, 21, 0)).toBe('hour')
    expect(when(2026, 10, 20, 23)).toBe('day')
  })

  it('is grouped by today, yesterday and month, in its own order and words (#14.2)', () => {
    const chats = [
      chat(2026, 10, 22, 1),
      chat(2026, 10, 21, 23),
      chat(2026, 10, 20, 9),
      chat(2026, 10, 2, 9),
      chat(2025, 10, 2, 9),
    ]
    const days = (lang: 'en' | 'ru') =>
      groupByDay(chats, { lang }, now).map(([day, all]) => [day, all.length])
    expect(days('en')).toEqual([
      ['today', 1],
      ['yesterday', 1],
      ['November 2026', 2],
      ['November 2025', 1],
    ])
    expect(days('ru').slice(0, 2)).toEqual([
      ['сегодня', 1],
      ['вчера', 1],
    ])
  })

  it('knows yesterday where the clock was changed, and at the turn of a month and a year', () => {
    vi.stubEnv('TZ', 'Europe/Paris')
    const days = (now: string, ...chats: string[]) =>
      groupByDay(
        chats.map((updatedAt) => ({ updatedAt })),
        { lang: 'en' },
        Date.parse(now),
      ).map(([day]) => day)
    // Yesterday had 23 hours, and 25.
    expect(
      days('2026-03-30T12:00+02:00', '2026-03-29T00:00+01:00', '2026-03-28T23:30+01:00'),
    ).toEqual(['yesterday', 'March 2026'])
    expect(
      days('2026-10-26T12:00+01:00', '2026-10-25T00:00+02:00', '2026-10-24T23:59+02:00'),
    ).toEqual(['yesterday', 'October 2026'])
    expect(
      days('2028-03-01T00:00+01:00', '2028-02-29T00:00+01:00', '2028-02-28T23:59+01:00'),
    ).toEqual(['yesterday', 'February 2028'])
    expect(
      days('2027-01-01T00:30+01:00', '2027-01-01T00:00+01:00', '2026-12-31T23:59+01:00'),
    ).toEqual(['today', 'yesterday'])
  })
})
