import { describe, expect, it } from 'vitest'
import { quotaSnapshot } from '../../../src/usage/quota'
import { warningsDue } from '../../../src/usage/quota-warnings'

const NOW = Date.UTC(2026, 10, 22)
const FIRST = { key: '2026-11', percent: '80' }
const LAST = { key: '2026-11:100', percent: '100' }

describe('marks of the quota that are to be told', () => {
  it.each([
    ['nothing below 80 %', 79, false, '', []],
    ['nothing below 80 %, though a great request did not fit', 79, true, '', []],
    ['the first at 80 %', 80, false, '', [FIRST]],
    ['the first again in another month', 80, false, '2026-10:100', [FIRST]],
    ['each once', 99, false, '2026-11', []],
    ['the last at 100 %', 100, false, '2026-11', [LAST]],
    ['the last where nothing fits any more', 97, true, '2026-11', [LAST]],
    ['both where one call passes both', 120, false, '', [FIRST, LAST]],
    ['nothing after the last', 120, true, '2026-11:100', []],
  ])('%s', (_name, used, full, told, due) => {
    expect(warningsDue(quotaSnapshot(used, 100, NOW), full, told)).toEqual(due)
  })

  it('none without a ceiling', () => {
    expect(warningsDue(quotaSnapshot(5_000, null, NOW), false, '')).toEqual([])
  })
})

describe('the quota as a tenant reads it', () => {
  it.each([
    [5_000, null, { remaining: null, percent: 0, state: 'ok' }],
    [799, 1000, { remaining: 201, percent: 79.9, state: 'ok' }],
    [800, 1000, { remaining: 200, percent: 80, state: 'warning' }],
    [999, 1000, { remaining: 1, percent: 99.9, state: 'warning' }],
    [1000, 1000, { remaining: 0, percent: 100, state: 'exhausted' }],
    [1200, 1000, { remaining: 0, percent: 120, state: 'exhausted' }],
    [0, 0, { remaining: 0, percent: 100, state: 'exhausted' }],
  ])('%i tokens used of %s', (used, limit, told) => {
    expect(quotaSnapshot(used, limit, NOW)).toMatchObject({ used, limit, ...told })
  })

  it.each([
    ['2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T00:00:00.000Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    // A turn that ended in the month before is booked in it.
    ['2026-11-01T00:00:00.000Z', '2026-11', '2026-12-01T00:00:00.000Z'],
  ])('at %s is that of %s', (now, period, resets_at) => {
    expect(quotaSnapshot(1, 10, Date.parse(now))).toMatchObject({ period, resets_at })
  })
})
