import { describe, expect, it } from 'vitest'
import { groupByDay, whenIn } from '../../../../../src/web/chat/app/group-by-day'

const now = new Date(2026, 10, 22, 15).getTime()
const chat = (...day: [number, number, number, number]) => ({
  id: day.join('-'),
  title: null,
  updatedAt: new Date(...day).toISOString(),
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
})
