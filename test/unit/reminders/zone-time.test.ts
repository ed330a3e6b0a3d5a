import { describe, expect, it } from 'vitest'
import {
  endOfDay,
  instantOf,
  isZone,
  showInZone,
  zoneNamed,
} from '../../../src/reminders/zone-time'

const at = (local: string, zone: string) =>
  new Date(instantOf(Date.parse(`${local}Z`), zone)).toISOString().replace('.000Z', 'Z')

describe('a zone’s name', () => {
  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['EUROPE/BERLIN', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['us/pacific', 'America/Los_Angeles'],
    ['Mars/Base', null],
    ['+02:00', null],
  ])('%s is %s', (written, named) => {
    expect(zoneNamed(written)).toBe(named)
  })
})

describe('local time to instant', () => {
  it.each([
    ['2026-11-21T09:00:00', 'UTC', '2026-11-21T09:00:00Z'],
    ['2026-11-21T09:00:00', 'Europe/Berlin', '2026-11-21T08:00:00Z'],
    ['2026-07-21T09:00:00', 'Europe/Berlin', '2026-07-21T07:00:00Z'],
    ['2026-11-21T09:00:00', 'America/Los_Angeles', '2026-11-21T17:00:00Z'],
    ['2026-11-21T00:15:00', 'Asia/Kathmandu', '2026-11-20T18:30:00Z'],
    ['2026-11-21T09:00:00', 'Pacific/Kiritimati', '2026-11-20T19:00:00Z'],
    ['2026-11-21T09:00:00', 'Pacific/Niue', '2026-11-21T20:00:00Z'],
  ])('%s in %s', (local, zone, instant) => {
    expect(at(local, zone)).toBe(instant)
  })

  it.each([
    // Clocks go from 02:00 to 03:00: half past two is half past three.
    ['2027-03-28T02:30:00', 'Europe/Berlin', '2027-03-28T01:30:00Z', '2027-03-28T03:30:00+02:00'],
    ['2027-03-28T02:00:00', 'Europe/Berlin', '2027-03-28T01:00:00Z', '2027-03-28T03:00:00+02:00'],
    [
      '2027-03-14T02:59:59',
      'America/New_York',
      '2027-03-14T07:59:59Z',
      '2027-03-14T03:59:59-04:00',
    ],
    // A change of half an hour, and one around midnight.
    [
      '2027-10-03T02:15:00',
      'Australia/Lord_Howe',
      '2027-10-02T15:45:00Z',
      '2027-10-03T02:45:00+11:00',
    ],
    ['2027-04-30T00:30:00', 'Africa/Cairo', '2027-04-29T22:30:00Z', '2027-04-30T01:30:00+03:00'],
    // A whole day was skipped.
    ['2011-12-30T12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00Z', '2011-12-31T12:00:00+14:00'],
  ])('moves %s in %s, which is skipped, forward', (local, zone, instant, shown) => {
    expect(at(local, zone)).toBe(instant)
    expect(showInZone(Date.parse(instant), zone)).toBe(shown)
  })

  it.each([
    ['2027-10-31T02:30:00', 'Europe/Berlin', '2027-10-31T00:30:00Z', '2027-10-31T02:30:00+02:00'],
    [
      '2026-11-01T01:30:00',
      'America/New_York',
      '2026-11-01T05:30:00Z',
      '2026-11-01T01:30:00-04:00',
    ],
    [
      '2027-04-04T01:45:00',
      'Australia/Lord_Howe',
      '2027-04-03T14:45:00Z',
      '2027-04-04T01:45:00+11:00',
    ],
  ])('takes the first of two %s in %s', (local, zone, instant, shown) => {
    expect(at(local, zone)).toBe(instant)
    expect(showInZone(Date.parse(instant), zone)).toBe(shown)
  })

  it('reads back what it shows, all year', () => {
    for (const zone of ['Europe/Berlin', 'Australia/Lord_Howe']) {
      const start = Date.parse('2027-01-01T00:00:00Z')
      for (let hour = 0; hour < 365 * 24; hour += 31) {
        const instant = start + hour * 3_600_000
        const shown = showInZone(instant, zone)
        expect(Date.parse(shown)).toBe(instant)
        expect(instantOf(Date.parse(`${shown.slice(0, 19)}Z`), zone)).toBe(instant)
      }
    }
  })
})

describe('the end of a day', () => {
  it.each([
    ['Asia/Tokyo', '2026-11-21T14:59:59Z', '2026-11-21T15:00:00Z'],
    ['Asia/Tokyo', '2026-11-21T15:00:00Z', '2026-11-22T15:00:00Z'],
    ['America/New_York', '2026-11-22T04:59:59Z', '2026-11-22T05:00:00Z'],
    // Twenty-five hours long, and twenty-three.
    ['Europe/Berlin', '2026-10-24T22:30:00Z', '2026-10-25T23:00:00Z'],
    ['Europe/Berlin', '2026-03-28T23:30:00Z', '2026-03-29T22:00:00Z'],
  ])('in %s of %s is %s', (zone, instant, end) =>
    expect(endOfDay(Date.parse(instant), zone)).toBe(Date.parse(end)),
  )
})

describe('zones', () => {
  it.each(['UTC', 'Europe/Paris', 'America/Argentina/Ushuaia', 'Etc/GMT+5'])('%s is one', (zone) =>
    expect(isZone(zone)).toBe(true),
  )
  it.each(['', '+02:00', '-0500', 'Mars/Olympus', 'Europe/Paris ', '../etc', '1'])(
    '%j is none',
    (zone) => expect(isZone(zone)).toBe(false),
  )
})
