import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SoonBooked } from '../../../durable-objects/tenant-meter/soon-booked'

const settlement = (turn: string) => ({ turn, settle: [], endedAt: 0 })

/** What is booked soon, with what was booked before by somebody else. */
function start(before: string[] = []) {
  const booked: string[] = []
  const told: string[] = []
  const state = { fails: false }
  const soon = new SoonBooked(
    (_tenant, { turn }) => {
      if (state.fails) throw new Error('not now')
      if (before.includes(turn)) return false
      booked.push(turn)
      return true
    },
    async (tenantId) => void told.push(tenantId),
  )
  return { soon, booked, told, state }
}

describe('what came with an admission', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is booked behind the answer, together with that of others, and its space hears of it when it tells it again', async () => {
    const { soon, booked, told } = start()
    soon.add('acme', [settlement('a')])
    soon.add('acme', [settlement('b')])
    expect(booked).toEqual([])
    expect(soon.bookedOf([settlement('a'), settlement('b')])).toEqual([])
    await vi.runAllTimersAsync()
    expect(booked).toEqual(['a', 'b'])
    expect(told).toEqual(['acme'])
    soon.add('acme', [settlement('a'), settlement('c')])
    expect(soon.bookedOf([settlement('a'), settlement('c')])).toEqual(['a'])
    await vi.runAllTimersAsync()
    expect(booked).toEqual(['a', 'b', 'c'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is booked at once where somebody reads what was used, and no timer is left', async () => {
    const { soon, booked, told } = start(['a'])
    soon.add('acme', [settlement('a'), settlement('b')])
    const done = soon.bookNow()
    expect(booked).toEqual(['b'])
    expect(soon.bookedOf([settlement('a'), settlement('b')])).toEqual(['a', 'b'])
    await done
    expect(told).toEqual(['acme'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('comes again where it could not be booked', async () => {
    const { soon, booked, state } = start()
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    state.fails = true
    soon.add('acme', [settlement('a')])
    await vi.runAllTimersAsync()
    expect(log).toHaveBeenCalledOnce()
    expect(soon.bookedOf([settlement('a')])).toEqual([])
    state.fails = false
    soon.add('acme', [settlement('a')])
    await vi.runAllTimersAsync()
    expect(booked).toEqual(['a'])
    log.mockRestore()
  })
})
