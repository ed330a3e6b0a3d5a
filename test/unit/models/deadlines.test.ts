import { generateText } from 'ai'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { resolveChatModel } from '../../../src/models/chat-model'
import { Deadline, withDeadlines } from '../../../src/models/deadlines'
import { type ModelEndpoint, startModelEndpoint } from '../../support/model-endpoint'

describe('deadlines of a model call', () => {
  let server: ModelEndpoint
  beforeAll(async () => {
    server = await startModelEndpoint()
  })
  afterAll(() => server.close())

  const model = (deadlines: { firstPartMs: number; idleMs: number; totalMs: number }) => {
    const env = {
      MODEL_PROVIDER: 'openai-compatible',
      OPENAI_BASE_URL: server.baseUrl,
      CHAT_MODEL: 'fake',
    }
    const resolved = resolveChatModel(env, null)
    if (resolved === null) throw new Error('no model')
    return withDeadlines(resolved.model, deadlines)
  }
  const stream = async (target: ReturnType<typeof model>) => {
    const { stream: parts } = await target.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    })
    let text = ''
    for await (const part of parts) if (part.type === 'text-delta') text += part.delta
    return text
  }
  const patient = { firstPartMs: 5000, idleMs: 5000, totalMs: 5000 }

  it('lets a slow but steady answer through', async () => {
    server.script({ type: 'text', deltas: ['a', 'b', 'c'], firstMs: 60, betweenMs: 60 })
    expect(await stream(model({ ...patient, firstPartMs: 1000, idleMs: 1000 }))).toBe('abc')
  })

  it('ends a call that never answers, and its connection', async () => {
    server.script({ type: 'silence' })
    await expect(stream(model({ ...patient, firstPartMs: 80 }))).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await expect.poll(() => server.requests.at(-1)?.aborted).toBe(true)
  })

  it('ends a stream that stops in the middle', async () => {
    server.script({ type: 'text', deltas: ['half'], hang: true })
    await expect(stream(model({ ...patient, idleMs: 80 }))).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  it('ends a stream that goes on for ever', async () => {
    server.script({ type: 'text', deltas: new Array(100).fill('x'), betweenMs: 20 })
    await expect(stream(model({ ...patient, totalMs: 200 }))).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  it('ends a call without streaming that never answers', async () => {
    server.script({ type: 'silence' })
    const call = generateText({
      model: model({ ...patient, totalMs: 80 }),
      prompt: 'hi',
      maxRetries: 0,
    })
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

describe('what is expected of a call', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is what was said last, to the second, with one timer', () => {
    const call = new Deadline(undefined)
    call.expect(60_000, 'first')
    for (let n = 0; n < 5; n++) {
      vi.advanceTimersByTime(1000)
      call.expect(45_000, 'idle')
      expect(vi.getTimerCount()).toBe(1)
    }
    vi.advanceTimersByTime(44_999)
    expect(call.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(call.signal.reason).toMatchObject({ name: 'TimeoutError', message: 'idle' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('may be sooner than what was said before, and is never later than the end of all', () => {
    const call = new Deadline(undefined)
    call.expect(20_000, 'first')
    call.expect(500, 'idle', { at: Date.now() + 300, message: 'over' })
    vi.advanceTimersByTime(300)
    expect(call.signal.reason).toMatchObject({ message: 'over' })
  })

  it('is nothing once the call is over', () => {
    const call = new Deadline(undefined)
    call.expect(1000, 'first')
    call.clear()
    call.expect(1000, 'idle')
    expect(vi.getTimerCount()).toBe(0)
  })
})
