import { describe, expect, it } from 'vitest'
import type { Frame } from '../../../../../src/web/kit/turn/frames'
import { followTurn, type TurnWires } from '../../../../../src/web/kit/turn/turn-stream'

const SESSION = { event: 'session', data: { session_id: 's', message_id: 'm' } }
const DONE = { event: 'done', data: { reply: 'abc', finish_reason: 'stop' } }
const token = (text: string) => ({ event: 'token', data: { text } })
const ALL = [SESSION, token('a'), token('b'), token('c'), DONE]

/** Frames `from`..`to` (ids, inclusive) of the turn, in pieces of `size` bytes; `breaks` ends with an error. */
function connection(from: number, to: number, { size = 7, breaks = false } = {}): Response {
  const text = ALL.slice(from - 1, to)
    .map((f, i) => `id: ${from + i}\nevent: ${f.event}\ndata: ${JSON.stringify(f.data)}\n\n`)
    .join('')
  const bytes = new TextEncoder().encode(`: ping\n\n${text}`)
  let at = 0
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (at < bytes.length) {
          controller.enqueue(bytes.slice(at, at + size))
          at += size
        } else if (breaks) controller.error(new TypeError('network error'))
        else controller.close()
      },
    }),
  )
}

function wires(start: Response | string, resumed: ((lastId: number) => Response | Error)[]) {
  const frames: Frame[] = []
  const lost: boolean[] = []
  const asked: number[] = []
  const abort = new AbortController()
  const browser = new EventTarget()
  const all: TurnWires = {
    resume: async (id, lastId) => {
      expect(id).toBe('m')
      asked.push(lastId)
      const answer = (resumed.shift() ?? (() => new Error('no more')))(lastId)
      if (answer instanceof Error) throw answer
      return answer
    },
    onFrame: (frame) => frames.push(frame),
    onLost: (value) => lost.push(value),
    pause: async () => undefined,
    onBack: (listener, signal) => browser.addEventListener('online', listener, { signal }),
    signal: abort.signal,
  }
  const text = () => frames.flatMap((f) => (f.type === 'token' ? f.text : [])).join('')
  const follow = () => followTurn(all, start)
  return { all, follow, frames, lost, asked, text, abort, browser }
}

describe('followTurn', () => {
  it('reads one connection to its end, however the bytes are cut', async () => {
    for (const size of [1, 3, 1000]) {
      const w = wires(connection(1, 5, { size }), [])
      expect(await w.follow()).toBe('ended')
      expect(w.text()).toBe('abc')
      expect(w.frames.at(-1)?.type).toBe('done')
      expect(w.lost).toEqual([])
    }
  })

  it.each([true, false])('resumes after the last frame seen (broken: %s)', async (breaks) => {
    const w = wires(connection(1, 2, { breaks }), [
      (lastId) => connection(lastId + 1, 3, { breaks }),
      (lastId) => connection(lastId + 1, 5),
    ])
    expect(await w.follow()).toBe('ended')
    expect(w.asked).toEqual([2, 3])
    expect(w.text()).toBe('abc')
    expect(w.lost).toEqual([true, false, true, false])
  })

  it('leaves a connection from before the network was away, which nobody closed', async () => {
    const bytes = await connection(1, 2).arrayBuffer()
    const open = new Response(
      new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(bytes)) }),
    )
    const w = wires(open, [(lastId) => connection(lastId + 1, 5)])
    const end = w.follow()
    await expect.poll(() => w.text()).toBe('a')
    w.browser.dispatchEvent(new Event('online'))
    expect(await end).toBe('ended')
    expect(w.asked).toEqual([2])
    expect(w.text()).toBe('abc')
  })

  it('skips what a server repeats', async () => {
    const w = wires(connection(1, 3, { breaks: true }), [() => connection(1, 5)])
    expect(await w.follow()).toBe('ended')
    expect(w.text()).toBe('abc')
    expect(w.frames.filter((f) => f.type === 'session')).toHaveLength(1)
  })

  it('keeps trying while the network is away or the server is busy', async () => {
    const w = wires(connection(1, 2, { breaks: true }), [
      () => new TypeError('offline'),
      () => new Response(null, { status: 503 }),
      () => new Response(null, { status: 429 }),
      (lastId) => connection(lastId + 1, 5),
    ])
    expect(await w.follow()).toBe('ended')
    expect(w.text()).toBe('abc')
  })

  it('gives up when the server no longer has the turn, and after ten vain attempts', async () => {
    const gone = wires(connection(1, 2), [() => new Response(null, { status: 404 })])
    expect(await gone.follow()).toBe('lost')
    const away = wires(connection(1, 2), [])
    expect(await away.follow()).toBe('lost')
    expect(away.asked).toHaveLength(10)
  })

  it('cannot resume what never told its id', async () => {
    const w = wires(new Response('id: 1\nevent: sess'), [])
    expect(await w.follow()).toBe('lost')
    expect(w.asked).toEqual([])
  })

  it('takes up a known turn from its first frame', async () => {
    const w = wires('m', [() => connection(1, 5)])
    expect(await w.follow()).toBe('ended')
    expect(w.asked).toEqual([0])
    expect(w.text()).toBe('abc')
    expect(w.lost).toEqual([false])
  })

  it('ends at once when aborted', async () => {
    const w = wires(connection(1, 2), [])
    w.all.onFrame = () => w.abort.abort()
    expect(await w.follow()).toBe('ended')
    expect(w.asked).toEqual([])
  })
})
