import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gatherReads } from '../../../src/models/gathered-reads'

/** An event of a stream and how long it comes after the one before, in ms. */
type Event = [afterMs: number, bytes: number]

/**
 * A stream as the runtime gives it: a read waits for at least so many bytes, or for the end. What was asked for is kept.
 * @param endsAfterMs how long after the last event it ends; null: it stays open
 */
function streamOf(events: Event[], endsAfterMs: number | null = 0) {
  const asked: number[] = []
  const waiting = [...events]
  let giveUp = () => {}
  const reader = {
    async readAtLeast(least: number, room: Uint8Array) {
      asked.push(least)
      const cancelled = new Promise<'cancelled'>((resolve) => {
        giveUp = () => resolve('cancelled')
      })
      let size = 0
      while (size < least) {
        const next = waiting.shift()
        const after = next?.[0] ?? endsAfterMs
        const wait =
          after === null ? new Promise(() => {}) : new Promise((r) => setTimeout(r, after))
        if ((await Promise.race([wait, cancelled])) === 'cancelled') return { done: true }
        if (next === undefined) break
        size += next[1]
      }
      return size === 0
        ? { done: true }
        : { done: false, value: new Uint8Array(room.buffer, 0, size) }
    },
    cancel: vi.fn(async () => giveUp()),
  }
  const body = { getReader: () => reader } as unknown as ReadableStream<Uint8Array>
  return { body, asked, cancel: reader.cancel }
}

/** Reads to the end, each time as one who may wait. */
async function readAll(body: ReadableStream<Uint8Array>, server: string): Promise<number> {
  const reads = gatherReads(body, server)
  for (let bytes = 0; ; ) {
    const { done, value } = await reads.read(true)
    bytes += value?.byteLength ?? 0
    if (!done) continue
    reads.leave(true)
    return bytes
  }
}

const BURST: Event[] = Array.from({ length: 100 }, () => [0, 200])

describe('reads of a model’s stream', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Through the timers, to the end. */
  async function ran<T>(work: Promise<T>): Promise<T> {
    await vi.advanceTimersByTimeAsync(60_000)
    return work
  }

  async function known(server: string): Promise<string> {
    await ran(readAll(streamOf(BURST).body, server))
    return server
  }

  it('take what is there from a server of which no end was seen', async () => {
    const { body, asked } = streamOf(BURST)
    expect(await ran(readAll(body, 'unknown'))).toBe(20_000)
    expect(new Set(asked)).toEqual(new Set([1]))
    expect(asked).toHaveLength(101)
  })

  it('take much at once of a fast stream whose server ends its streams, and all of it', async () => {
    const { body, asked } = streamOf(BURST)
    expect(await ran(readAll(body, await known('fast')))).toBe(20_000)
    expect(asked.length).toBeLessThan(10)
    expect(Math.max(...asked)).toBeLessThanOrEqual(8192)
  })

  it('wait for no more than thirty milliseconds bring', async () => {
    const server = await known('paced')
    const { body, asked } = streamOf(Array.from({ length: 40 }, () => [10, 200]))
    expect(await ran(readAll(body, server))).toBe(8000)
    expect(Math.max(...asked)).toBe(600)
    const slow = streamOf(Array.from({ length: 10 }, () => [400, 20]))
    expect(await ran(readAll(slow.body, server))).toBe(200)
    expect(new Set(slow.asked)).toEqual(new Set([1]))
  })

  it('wait for nothing where each word is waited for', async () => {
    const server = await known('awaited')
    const { body, asked } = streamOf(BURST)
    const reads = gatherReads(body, server)
    for (let i = 0; i < 20; i++) await ran(reads.read())
    expect(new Set(asked)).toEqual(new Set([1]))
  })

  it.each([
    ['late', 1000],
    ['never', null],
  ])('take what is there from a server whose streams end %s', async (name, endsAfterMs) => {
    const first = streamOf(BURST, endsAfterMs)
    const reads = gatherReads(first.body, name)
    for (let i = 0; i < BURST.length; i++) await ran(reads.read(true))
    reads.leave(false)
    // Whoever is done with the parts cancels too.
    await reads.cancel()
    await vi.advanceTimersByTimeAsync(2000)
    expect(first.cancel).toHaveBeenCalledOnce()
    const second = streamOf(BURST)
    const next = gatherReads(second.body, name)
    for (let i = 0; i < 20; i++) await ran(next.read(true))
    expect(new Set(second.asked)).toEqual(new Set([1]))
  })

  it('learn of an end behind the last line that matters', async () => {
    const first = streamOf(BURST, 20)
    const reads = gatherReads(first.body, 'behind')
    for (let i = 0; i < BURST.length; i++) {
      const read = reads.read()
      await vi.advanceTimersByTimeAsync(0)
      await read
    }
    reads.leave(false)
    await vi.advanceTimersByTimeAsync(2000)
    const second = streamOf(BURST)
    await ran(readAll(second.body, 'behind'))
    expect(second.asked.length).toBeLessThan(10)
  })

  it('forget a server for which they waited in vain', async () => {
    const server = await known('stuck')
    const stuck = streamOf(BURST, null)
    const hanging = readAll(stuck.body, server)
    await vi.advanceTimersByTimeAsync(10)
    const reads = gatherReads(streamOf(BURST, null).body, server)
    const pending = (async () => {
      while (!(await reads.read(true)).done);
    })()
    await vi.advanceTimersByTimeAsync(10)
    await reads.cancel('deadline')
    await pending
    const { body, asked } = streamOf(BURST)
    await ran(readAll(body, server))
    expect(new Set(asked)).toEqual(new Set([1]))
    stuck.cancel()
    await ran(hanging)
  })
})
