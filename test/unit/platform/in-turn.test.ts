import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTurn } from '../../../src/platform/in-turn'

describe('inTurn', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

  it('runs work of one name one after the other, in order, also after a failure', async () => {
    const seen: string[] = []
    const work = (label: string, fails = false) =>
      inTurn('a', async () => {
        seen.push(`${label} begins`)
        await pause(10)
        seen.push(`${label} ends`)
        if (fails) throw new Error(label)
        return label
      })
    const all = Promise.allSettled([work('1'), work('2', true), work('3')])
    await vi.runAllTimersAsync()
    expect(
      (await all).map((result) =>
        result.status === 'fulfilled' ? result.value : String(result.reason),
      ),
    ).toEqual(['1', 'Error: 2', '3'])
    expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
  })

  it('does not hold back work of another name', async () => {
    let done = false
    const slow = inTurn('slow', () => pause(1000))
    await inTurn('other', async () => {
      done = true
    })
    expect(done).toBe(true)
    await vi.runAllTimersAsync()
    await slow
  })

  it('waits two seconds at most for a predecessor that never ends', async () => {
    let begun = false
    void inTurn('dead', () => new Promise<void>(() => {}))
    const next = inTurn('dead', async () => {
      begun = true
    })
    await vi.advanceTimersByTimeAsync(1999)
    expect(begun).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await next
    expect(begun).toBe(true)
    const third = inTurn('dead', async () => 'at once')
    expect(await third).toBe('at once')
  })

  it('however long the queue: everyone waits while it moves', async () => {
    let inside = 0
    let most = 0
    const work = () =>
      inTurn('long', async () => {
        most = Math.max(most, ++inside)
        await pause(1500)
        inside--
      })
    const all = Promise.all(Array.from({ length: 20 }, work))
    await vi.runAllTimersAsync()
    await all
    expect(most).toBe(1)
  })

  it('a queue behind a request that died goes on one by one', async () => {
    let inside = 0
    let most = 0
    void inTurn('cut', () => new Promise<void>(() => {}))
    const work = () =>
      inTurn('cut', async () => {
        most = Math.max(most, ++inside)
        await pause(100)
        inside--
      })
    const all = Promise.all(Array.from({ length: 5 }, work))
    await vi.runAllTimersAsync()
    await all
    expect(most).toBe(1)
  })
})
