import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { preparePortion } from '../../../durable-objects/knowledge-base/stage-chunks'
import { BACKGROUND, INGEST } from '../../../src/config/limits'
import { goFirst } from '../../../src/platform/give-way'

const chunks = Array.from({ length: INGEST.chunkBatchAlone + 10 }, (_, n) => ({
  n,
  text: `Passage ${n}.`,
  heading: null,
  page: null,
  start: n,
  end: n + 1,
}))

/** Numbers of the chunks that are written at once, the timers of those who wait run. */
async function portionFrom(from: number): Promise<number[]> {
  const portion = preparePortion('Guide', chunks, from)
  await vi.advanceTimersByTimeAsync(BACKGROUND.awaitedForMs)
  return (await portion).map(({ chunk }) => chunk.n)
}
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

describe('preparePortion', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.advanceTimersByTime(BACKGROUND.awaitedForMs)
  })
  afterEach(async () => {
    vi.useRealTimers()
    // The last call is not to be later than other files' time.
    await goFirst(async () => {})
  })

  it('takes many while nobody asks, and then what is left', async () => {
    expect(await portionFrom(0)).toEqual(numbers(0, INGEST.chunkBatchAlone))
    expect(await portionFrom(INGEST.chunkBatchAlone)).toEqual(
      numbers(INGEST.chunkBatchAlone, chunks.length),
    )
    expect(await portionFrom(chunks.length)).toEqual([])
  })

  it('takes few beside a search', async () => {
    const search = Promise.withResolvers<void>()
    const answer = goFirst(() => search.promise)
    expect(await portionFrom(5)).toEqual(numbers(5, 5 + INGEST.chunkBatchBeside))
    search.resolve()
    await answer
  })

  it('ends early where a search comes meanwhile', async () => {
    const search = Promise.withResolvers<void>()
    const comes = new Promise<void>((done) => {
      setTimeout(() => done(goFirst(() => search.promise)))
    })
    expect(await portionFrom(0)).toEqual(numbers(0, INGEST.preparedAlone))
    search.resolve()
    await comes
  })
})
