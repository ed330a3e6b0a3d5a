import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { STREAM_PACE_MS } from '../../../src/config/limits'
import { paceStream } from '../../../src/models/pace-stream'
import { answerOf, batchesOf } from '../../../src/models/part-batches'

type Part = LanguageModelV4StreamPart

const delta = (text: string, id = '0'): Part => ({ type: 'text-delta', id, delta: text })
/** So many turns of the microtask queue, in which everything that waits for no clock comes. */
async function ticks(count: number) {
  for (let i = 0; i < count; i++) await null
  return 'nothing yet'
}

function pace(source: ReadableStream<Part>, signal = new AbortController().signal) {
  const seen = { parts: 0, ends: 0 }
  const paced = paceStream(batchesOf({ stream: source }), {
    signal,
    onPart: () => {
      seen.parts += 1
    },
    onEnd: () => {
      seen.ends += 1
    },
  })
  return { stream: answerOf(paced).stream, seen }
}

const of = (...parts: Part[]) =>
  new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

/** A paced stream whose source the test writes. */
function written() {
  let write = (_part: Part) => {}
  const { stream } = pace(
    new ReadableStream<Part>({
      start(controller) {
        write = (part) => controller.enqueue(part)
      },
    }),
  )
  return { write, reader: stream.getReader() }
}

describe('paced stream', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('joins what is there at once, without losing or moving anything', async () => {
    const call: Part = { type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{}' }
    const source = of(delta('a'), delta('b'), delta('c'), delta('x', '1'), call, delta('d'))
    const { stream, seen } = pace(source)
    const parts: Part[] = []
    for await (const part of stream) parts.push(part)
    const texts = (id: string, before: boolean) =>
      parts
        .filter((_, i) => i < parts.indexOf(call) === before)
        .map((part) => (part.type === 'text-delta' && part.id === id ? part.delta : ''))
        .join('')
    expect([texts('0', true), texts('1', true), texts('0', false)]).toEqual(['abc', 'x', 'd'])
    expect(parts.length).toBeLessThan(6)
    expect(seen).toEqual({ parts: 6, ends: 1 })
  })

  it('gives the first text at once and what follows together after the pace', async () => {
    const { write, reader } = written()
    write(delta('a'))
    expect((await reader.read()).value).toEqual(delta('a'))
    write(delta('b'))
    await vi.advanceTimersByTimeAsync(STREAM_PACE_MS - 1)
    const next = reader.read()
    write(delta('c'))
    expect(await Promise.race([next, ticks(10)])).toBe('nothing yet')
    await vi.advanceTimersByTimeAsync(1)
    expect((await next).value).toEqual(delta('bc'))
  })

  it.each(['One sentence [1]. ', 'رقم پانچ دن میں ملتی ہے۔ '])(
    'gives what follows the first sentence at once, and only that: %s',
    async (sentence) => {
      const { write, reader } = written()
      write(delta(sentence))
      expect((await reader.read()).value).toEqual(delta(sentence))
      write(delta('Another. '))
      expect((await reader.read()).value).toEqual(delta('Another. '))
      write(delta('More'))
      const held = reader.read()
      expect(await Promise.race([held, ticks(10)])).toBe('nothing yet')
      await vi.advanceTimersByTimeAsync(STREAM_PACE_MS)
      expect((await held).value).toEqual(delta('More'))
    },
  )

  it('does not hold text back once the source has ended', async () => {
    const { stream } = pace(of(delta('a'), delta('b')))
    // The clock stands still: what waits for it never comes.
    const texts: string[] = []
    for await (const part of stream) if (part.type === 'text-delta') texts.push(part.delta)
    expect(texts.join('')).toBe('ab')
  })

  it('gives what came before a failure, then the failure', async () => {
    let isFirst = true
    const source = new ReadableStream<Part>({
      pull(controller) {
        if (isFirst) controller.enqueue(delta('a'))
        else controller.error(new Error('broken'))
        isFirst = false
      },
    })
    const { stream, seen } = pace(source)
    const reader = stream.getReader()
    expect((await reader.read()).value).toEqual(delta('a'))
    await expect(reader.read()).rejects.toThrow('broken')
    expect(seen.ends).toBe(1)
  })

  it('ends with the reason of its signal, and lets go of the source', async () => {
    const stop = new AbortController()
    let cancelled: unknown
    const source = new ReadableStream<Part>({
      cancel(reason) {
        cancelled = reason
      },
    })
    const { stream, seen } = pace(source, stop.signal)
    const read = stream.getReader().read()
    stop.abort('stopped')
    await expect(read).rejects.toBe('stopped')
    await ticks(10)
    expect(cancelled).toBe('stopped')
    expect(seen.ends).toBe(1)
  })

  it('lets go of the source when its reader leaves', async () => {
    let cancelled = false
    const source = new ReadableStream<Part>({
      cancel() {
        cancelled = true
      },
    })
    const { stream, seen } = pace(source)
    await stream.cancel('gone')
    expect(cancelled).toBe(true)
    expect(seen.ends).toBe(1)
  })
})
