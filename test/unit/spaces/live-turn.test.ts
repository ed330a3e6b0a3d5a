import { afterEach, describe, expect, it, vi } from 'vitest'
import { LiveTurn } from '../../../durable-objects/user-space/turns/live-turn'
import { MINUTE_MS } from '../../../src/config/limits'
import { PING } from '../../../src/wire/sse'

const ANYBODY = { tokenVersion: null, keyId: null }

afterEach(() => {
  vi.useRealTimers()
})

describe('the first words of a turn', () => {
  it('have left for who listens before the turn goes on', async () => {
    const live = new LiveTurn('message', 'session', MINUTE_MS)
    const reader = live.listen(0, ANYBODY).getReader()
    await reader.read()
    let heard = ''
    void reader.read().then(({ value }) => {
      heard = new TextDecoder().decode(value)
    })
    live.publish({ type: 'token', text: 'Returns take 30 days.' })
    await live.letGo()
    expect(heard).toContain('Returns take 30 days.')
    await reader.cancel()
  })

  it('wait once, and for nobody where nobody listens', async () => {
    vi.useFakeTimers()
    const live = new LiveTurn('message', 'session', MINUTE_MS)
    /** Whether it is over before the clock moves. */
    const isOver = async () => {
      const ended = vi.fn()
      void live.letGo().then(ended)
      for (let tick = 0; tick < 10; tick++) await null
      return ended.mock.calls.length > 0
    }
    expect(await isOver()).toBe(true)
    const reader = live.listen(0, ANYBODY).getReader()
    expect(await isOver()).toBe(false)
    await vi.advanceTimersByTimeAsync(0)
    expect(await isOver()).toBe(true)
    await reader.cancel()
  })
})

describe('the last words of a turn', () => {
  /** A listener who has heard the first words. */
  async function openTurn() {
    vi.useFakeTimers()
    const live = new LiveTurn('message', 'session', MINUTE_MS)
    const reader = live.listen(0, ANYBODY).getReader()
    const next = async () => new TextDecoder().decode((await reader.read()).value)
    live.publish({ type: 'token', text: 'Returns take 30 days.' }, true)
    const gone = live.letGo()
    await vi.advanceTimersByTimeAsync(0)
    await gone
    expect(await next()).toContain('Returns take 30 days.')
    const last = next()
    live.publish({ type: 'token', text: ' They are free.' }, true)
    return { live, reader, last }
  }

  it('come with its end, in one piece, and leave no timer', async () => {
    const { live, reader, last } = await openTurn()
    live.publish({ type: 'sources', sources: [] })
    live.end({ ok: false, failed: { session_id: 'session', message_id: 'message' } })
    expect(await last).toMatch(/They are free[\s\S]*event: sources/u)
    expect((await reader.read()).done).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('come soon where the end does not', async () => {
    const { reader, last } = await openTurn()
    let heard = ''
    void last.then((text) => {
      heard = text
    })
    await vi.advanceTimersByTimeAsync(10)
    expect(heard).toBe('')
    await vi.advanceTimersByTimeAsync(10)
    expect(heard).toContain('They are free.')
    await reader.cancel()
  })
})

describe('what a listener reads', () => {
  it('begins with a comment and the frames that are there, in one piece', async () => {
    const live = new LiveTurn('message', 'session', MINUTE_MS)
    live.publish({ type: 'status', stage: 'retrieving' })
    live.publish({ type: 'token', text: 'Returns take 30 days.' })
    const reader = live.listen(0, ANYBODY).getReader()
    const first = new TextDecoder().decode((await reader.read()).value)
    expect(first.startsWith(PING)).toBe(true)
    expect(first).toContain('retrieving')
    expect(first).toContain('Returns take 30 days.')
    await reader.cancel()
  })

  it('is a comment for every ping of silence, and then what is said', async () => {
    vi.useFakeTimers()
    const live = new LiveTurn('message', 'session', MINUTE_MS)
    const reader = live.listen(0, ANYBODY).getReader()
    const next = async () => new TextDecoder().decode((await reader.read()).value)
    expect(await next()).toBe(PING)
    const silent = next()
    await vi.advanceTimersByTimeAsync(MINUTE_MS)
    expect(await silent).toBe(PING)
    const said = next()
    live.publish({ type: 'token', text: 'Returns take 30 days.' })
    expect(await said).toContain('Returns take 30 days.')
    await reader.cancel()
  })

  it('is the end of a turn once more where all of it was heard, whether it is stored by then or not', async () => {
    for (const isStored of [true, false]) {
      const live = new LiveTurn('message', 'session', MINUTE_MS)
      const end = () =>
        live.end({ ok: false, failed: { session_id: 'session', message_id: 'message' } })
      live.publish({ type: 'token', text: 'Returns take 30 days.' })
      live.publish({ type: 'sources', sources: [] })
      if (isStored) end()
      const heard = new Response(live.listen(Number.MAX_SAFE_INTEGER, ANYBODY)).text()
      if (!isStored) setTimeout(end)
      expect(await heard).toContain('event: sources')
      expect(await heard).not.toContain('30 days')
    }
  })
})
