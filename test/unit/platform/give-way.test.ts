import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BACKGROUND } from '../../../src/config/limits'
import { giveWay, goFirst, isAwaited } from '../../../src/platform/give-way'

describe('giveWay', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.advanceTimersByTime(BACKGROUND.awaitedForMs)
  })
  afterEach(() => vi.useRealTimers())

  /** Background work that gives way once, and whether it has gone on. */
  function startWork() {
    const work = { goesOn: false }
    void giveWay().then(() => {
      work.goesOn = true
    })
    return work
  }

  it('waits until what somebody waits for is done', async () => {
    const search = Promise.withResolvers<string>()
    const answer = goFirst(() => search.promise)
    const work = startWork()
    await vi.advanceTimersByTimeAsync(BACKGROUND.mostWaits / 2)
    expect(work.goesOn).toBe(false)
    search.resolve('found')
    expect(await answer).toBe('found')
    await vi.advanceTimersByTimeAsync(1)
    expect(work.goesOn).toBe(true)
  })

  it('goes on after a while, however long somebody waits', async () => {
    const search = Promise.withResolvers<void>()
    const answer = goFirst(() => search.promise)
    const work = startWork()
    await vi.advanceTimersByTimeAsync(BACKGROUND.mostWaits)
    expect(work.goesOn).toBe(true)
    search.resolve()
    await answer
  })

  it('lets new calls begin for some time after the last, and then goes on at once', async () => {
    await expect(goFirst(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(isAwaited()).toBe(true)
    const beside = startWork()
    await Promise.resolve()
    expect(beside.goesOn).toBe(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(beside.goesOn).toBe(true)
    vi.advanceTimersByTime(BACKGROUND.awaitedForMs)
    expect(isAwaited()).toBe(false)
    await giveWay()
  })
})
