import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SpaceCore } from '../../../durable-objects/user-space/core/space-core'
import { LOOK_MS, Settlements } from '../../../durable-objects/user-space/turns/settlements'

const NOW = Date.parse('2026-11-10T12:00:00Z')
const SECOND_MS = 1000

/** A space's object, with what it told the meter, which turns are over, and when it is to wake. */
function startSpace() {
  const told: string[] = []
  const over: string[] = []
  const wakes: number[] = []
  const state = { fails: false }
  const core = {
    address: { tenantId: 'tenant', userId: 'ann', spaceId: 'home' },
    env: {
      TENANT_METER: {
        idFromName: (name: string) => name,
        get: () => ({
          settle: async (_tenant: string, turn: string) => {
            if (state.fails) throw new Error('not now')
            told.push(turn)
          },
        }),
      },
    },
    stores: { turns: { end: (turn: string) => over.push(turn) } },
    wakeAt: async (time: number) => void wakes.push(time),
  } as unknown as SpaceCore
  return { core, told, over, wakes, state, settlements: new Settlements(core) }
}

const outbox = (turn: string, endedAt: number) => ({ turn, settle: [], jobs: [], endedAt })

describe('what turns used and the meter has not heard', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }))
  afterEach(() => void vi.useRealTimers())

  it('goes with admissions until the meter has booked it', () => {
    const { settlements, over } = startSpace()
    const health = { model: 'model', code: null }
    settlements.hold({ ...outbox('a', NOW), health })
    const taken = settlements.all
    expect(taken).toEqual([{ turn: 'a', settle: [], health, endedAt: NOW }])
    expect(settlements.all).toEqual(taken)
    settlements.hold(outbox('b', NOW))
    settlements.told(taken, [])
    expect(settlements.all.map(({ turn }) => turn)).toEqual(['a', 'b'])
    expect(over).toEqual([])
    settlements.told(settlements.all, ['a'])
    expect(settlements.all.map(({ turn }) => turn)).toEqual(['b'])
    expect(over).toEqual(['a'])
    // An admission that comes back after the alarm has told the meter.
    settlements.told(taken, [])
    expect(settlements.all.map(({ turn }) => turn)).toEqual(['b'])
  })

  it('is told by the alarm once it has waited, and the alarm comes again for what is younger', async () => {
    const { settlements, told, over, wakes } = startSpace()
    settlements.hold(outbox('old', NOW - 110 * SECOND_MS))
    settlements.hold(outbox('young', NOW - 50 * SECOND_MS))
    await settlements.lookAfter()
    expect(told).toEqual(['old'])
    expect(over).toEqual(['old'])
    expect(wakes).toEqual([NOW - 50 * SECOND_MS + LOOK_MS])
  })

  it('is left by the alarm while the meter was just told of it, whoever finds it once more', async () => {
    const { settlements, told, wakes } = startSpace()
    const ended = outbox('a', NOW - 110 * SECOND_MS)
    settlements.hold(ended)
    settlements.told(settlements.all, [])
    settlements.hold(ended)
    await settlements.lookAfter()
    expect(told).toEqual([])
    expect(wakes).toEqual([NOW + LOOK_MS])
    vi.setSystemTime(NOW + LOOK_MS)
    await settlements.lookAfter()
    expect(told).toEqual(['a'])
  })

  it('stays where the meter does not hear, and is told at once when somebody asks', async () => {
    const { settlements, told, wakes, state } = startSpace()
    settlements.hold(outbox('a', NOW - 100 * SECOND_MS))
    state.fails = true
    await settlements.lookAfter()
    expect(await settlements.settle()).toBe(false)
    expect(Math.min(...wakes)).toBeGreaterThan(NOW)
    state.fails = false
    expect(await settlements.settle()).toBe(true)
    expect(told).toEqual(['a'])
    expect(settlements.all).toEqual([])
  })
})
