import { describe, expect, it } from 'vitest'
import { WaitingTurns } from '../../../durable-objects/tenant-meter/waiting-turns'
import { HOUR_MS, MINUTE_MS } from '../../../src/config/limits'

const NOW = Date.parse('2026-11-10T12:00:00Z')
const ann = { tenantId: 'tenant', userId: 'ann', spaceId: 'home' }
const cem = { tenantId: 'tenant', userId: 'cem', spaceId: 'home' }
const bea = { tenantId: 'tenant', userId: 'bea', spaceId: 'home' }

/** A meter's environment, with the spaces that were asked. @param fails which of them do not answer */
function startSpaces(fails: readonly string[] = []) {
  const asked: string[] = []
  const env = {
    USER_SPACE: {
      idFromName: (name: string) => name,
      get: (name: string) => ({
        work: async (...call: unknown[]) => {
          expect(call).toEqual(['turns', 'settle', []])
          asked.push(name)
          if (fails.includes(name)) throw new Error('not now')
        },
      }),
    },
  } as unknown as Env
  return { env, asked }
}

describe('turns whose settlement may wait', () => {
  it('are those of spaces that are stored, for an hour', () => {
    const waiting = new WaitingTurns()
    waiting.note(ann, NOW)
    expect(waiting.mayWait('a', ann, NOW)).toBe(false)
    waiting.toStore(NOW)
    expect(waiting.mayWait('a', ann, NOW)).toBe(true)
    expect(waiting.mayWait('b', bea, NOW)).toBe(false)
    expect(waiting.mayWait('c', ann, NOW + HOUR_MS + 1)).toBe(false)
  })

  it('are asked for before figures are told, each space once, until they are settled', async () => {
    const { env, asked } = startSpaces()
    const waiting = new WaitingTurns()
    for (const space of [ann, bea]) waiting.note(space, NOW)
    waiting.toStore(NOW)
    for (const id of ['a', 'b']) waiting.mayWait(id, ann, NOW)
    waiting.mayWait('c', bea, NOW)
    waiting.settle('c')
    await waiting.collect(env, 'tenant')
    expect(asked.splice(0)).toEqual(['tenant/ann/home'])
    waiting.settle('a')
    waiting.forget((id) => id === 'b')
    await waiting.collect(env, 'tenant')
    expect(asked.splice(0)).toEqual(['tenant/ann/home'])
    waiting.forget((id) => id !== 'b')
    await waiting.collect(env, 'tenant')
    expect(asked).toEqual([])
  })

  it('are asked for by a meter that wakes, until they answered, where any may be under way', async () => {
    const before = new WaitingTurns()
    before.note(bea, NOW - 2 * HOUR_MS)
    before.note(ann, NOW)
    const stored = before.toStore(NOW)
    const { env, asked } = startSpaces(['tenant/ann/home'])
    const idle = new WaitingTurns()
    idle.load(stored, false, NOW + MINUTE_MS)
    await idle.collect(env, 'tenant')
    expect(asked).toEqual([])
    const woken = new WaitingTurns()
    woken.load(stored, true, NOW + MINUTE_MS)
    await woken.collect(env, 'tenant')
    expect(asked.splice(0)).toEqual(['tenant/ann/home'])
    // It did not answer.
    expect(woken.toStore(NOW + 2 * HOUR_MS)).toEqual([['ann', 'home', NOW]])
    const later = startSpaces()
    await woken.collect(later.env, 'tenant')
    await woken.collect(later.env, 'tenant')
    expect(later.asked).toEqual(['tenant/ann/home'])
  })

  it('become those of a space whose people go on talking, stored at most every five seconds', () => {
    const waiting = new WaitingTurns()
    const come = (space: typeof ann, at: number) => {
      waiting.note(space, at)
      return waiting.isWorthStoring(space, at)
    }
    expect(come(ann, NOW)).toBe(false)
    expect(come(ann, NOW + MINUTE_MS)).toBe(true)
    waiting.toStore(NOW + MINUTE_MS)
    // What is stored need not be stored again.
    expect(come(ann, NOW + 2 * MINUTE_MS)).toBe(false)
    expect(come(bea, NOW + 2 * MINUTE_MS)).toBe(false)
    waiting.toStore(NOW + 2 * MINUTE_MS - 1)
    expect(come(cem, NOW + 2 * MINUTE_MS)).toBe(false)
    expect(come(cem, NOW + 2 * MINUTE_MS + 4000)).toBe(false)
    expect(come(cem, NOW + 2 * MINUTE_MS + 5000)).toBe(true)
    // The hour is over, and they still talk.
    expect(come(ann, NOW + 2 * MINUTE_MS + HOUR_MS)).toBe(false)
    expect(come(ann, NOW + 3 * MINUTE_MS + HOUR_MS)).toBe(true)
  })

  it('are of so many spaces and no more', () => {
    const waiting = new WaitingTurns()
    for (let n = 0; n < 250; n++) waiting.note({ ...ann, userId: `user-${n}` }, NOW)
    const stored = waiting.toStore(NOW)
    expect(stored.length).toBe(100)
    expect(stored.at(-1)).toEqual(['user-249', 'home', NOW])
  })
})
