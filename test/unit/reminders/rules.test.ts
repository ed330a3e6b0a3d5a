import { describe, expect, it } from 'vitest'
import {
  type ChannelOutcome,
  isLost,
  moveReminder,
  type ReminderStatus,
  readDue,
} from '../../../src/reminders/rules'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const LEAD = 30_000
const read = (dueAt: string, timezone: string | null = null, profile: string | null = null) => {
  const due = readDue({ dueAt, timezone }, profile, NOW, LEAD)
  return due.ok ? [new Date(due.dueAt).toISOString(), due.timezone] : due.field
}

describe('when a reminder falls due', () => {
  it.each([
    ['2026-11-22T09:00:00Z', '2026-11-22T09:00:00.000Z'],
    ['2026-11-22T09:00Z', '2026-11-22T09:00:00.000Z'],
    ['2026-11-22 09:00:00.5z', '2026-11-22T09:00:00.500Z'],
    ['2026-11-22T09:00:00.123456789+02:00', '2026-11-22T07:00:00.123Z'],
    ['2026-11-22T09:00:00-0330', '2026-11-22T12:30:00.000Z'],
    ['2026-11-22T09:00:00+05', '2026-11-22T04:00:00.000Z'],
    ['2026-11-22T09:00', '2026-11-22T09:00:00.000Z'],
    ['PT45M', '2026-11-21T12:45:00.000Z'],
    ['P1DT2H30M10S', '2026-11-22T14:30:10.000Z'],
    ['pt90s', '2026-11-21T12:01:30.000Z'],
  ])('reads %s', (text, instant) => expect(read(text)).toEqual([instant, 'UTC']))

  it.each([
    '',
    'tomorrow',
    '2026-11-22',
    '2026-02-30T10:00:00Z',
    '2026-13-01T10:00:00Z',
    '2026-11-22T24:00:00Z',
    '2026-11-22T10:60:00Z',
    '2026-11-22T10:00:60Z',
    '2026-11-22T10:00:00+25:00',
    '2026-11-22T10:00:00+05:60',
    '0001-01-01T00:00:00',
    'P',
    'PT',
    'P1DT',
    'PT-5M',
    'PT1.5H',
    '2026-11-22T10:00:00Z; drop',
  ])('refuses %j', (text) => expect(read(text)).toBe('due_at'))

  it('takes the zone that is given, else the profile’s, else UTC', () => {
    expect(read('2026-12-24T18:00', 'Europe/Paris', 'Asia/Tokyo')).toEqual([
      '2026-12-24T17:00:00.000Z',
      'Europe/Paris',
    ])
    expect(read('2026-12-24T18:00', null, 'Asia/Tokyo')).toEqual([
      '2026-12-24T09:00:00.000Z',
      'Asia/Tokyo',
    ])
    expect(read('2026-12-24T18:00', null, 'not a zone')).toEqual([
      '2026-12-24T18:00:00.000Z',
      'UTC',
    ])
    expect(read('2026-12-24T18:00Z', 'Europe/Paris')).toEqual([
      '2026-12-24T18:00:00.000Z',
      'Europe/Paris',
    ])
    expect(read('2026-12-24T18:00', '+01:00')).toBe('timezone')
  })

  it.each([
    ['2026-11-21T12:00:29.999Z', false],
    ['2026-11-21T12:00:30Z', true],
    ['2026-11-21T11:59:59Z', false],
    ['2027-11-21T12:00:00Z', true],
    ['2027-11-21T12:00:00.001Z', false],
    ['P365D', true],
    ['P366D', false],
  ])('%s is allowed: %s', (text, isAllowed) => expect(read(text) !== 'due_at').toBe(isAllowed))

  it('a year ahead is a calendar year, also over 29 February', () => {
    const before = Date.parse('2027-03-01T00:00:00Z')
    const due = (text: string) => readDue({ dueAt: text, timezone: null }, null, before, LEAD).ok
    expect(due('2028-03-01T00:00:00Z')).toBe(true)
    expect(due('2028-03-01T00:00:01Z')).toBe(false)
  })
})

describe('states', () => {
  it('only what is pending moves', () => {
    expect(moveReminder('pending', 'deliver')).toBe('sent')
    expect(moveReminder('pending', 'fail')).toBe('failed')
    expect(moveReminder('pending', 'cancel')).toBe('cancelled')
    for (const status of ['sent', 'failed', 'cancelled'] satisfies ReminderStatus[]) {
      for (const move of ['deliver', 'fail', 'cancel'] as const)
        expect(moveReminder(status, move)).toBeNull()
    }
  })
})

describe('whether a reminder reached nobody', () => {
  it.each<[string, boolean, ChannelOutcome[], boolean]>([
    ['every other way failed', true, ['failed', 'none'], true],
    ['another way arrived', true, ['failed', 'sent'], false],
    ['there is no other way', true, ['none'], false],
    ['somebody listened', false, ['failed'], false],
    ['somebody listened, and there is no other way', false, [], false],
  ])('%s', (_, away, outcomes, lost) => expect(isLost(away, outcomes)).toBe(lost))
})
