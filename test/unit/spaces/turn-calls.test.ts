import { afterEach, describe, expect, it, vi } from 'vitest'
import { createVerifier } from '../../../durable-objects/user-space/turns/claim-verifier'
import { TurnCalls } from '../../../durable-objects/user-space/turns/turn-calls'
import type { OpenClaim } from '../../../src/chat/check'
import { createLog } from '../../../src/log'

const CLAIM = { id: 7, claim: 'Refunds take a week.', evidence: 'Refunds take seven days.' }
const CLAIMS = [CLAIM] as unknown as OpenClaim[]
const ANSWER = {
  choices: [
    { finish_reason: 'stop', message: { role: 'assistant', content: '{"supported":[1]}' } },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
}

afterEach(() => vi.unstubAllGlobals())

/** A verifier whose model answers when `answer` is called; what it reserved, and how often the model was asked. */
function openVerifier(hasRoom = true) {
  const answered = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const calls: unknown[] = []
  vi.stubGlobal('fetch', async (...call: unknown[]) => {
    calls.push(call)
    asked.resolve()
    await answered.promise
    return Response.json(ANSWER)
  })
  const env = {
    MODEL_PROVIDER: 'openai-compatible',
    OPENAI_BASE_URL: 'http://127.0.0.1/v1',
    CHAT_MODEL: 'judge',
  } as unknown as Env
  const reserved: number[] = []
  const made = new TurnCalls(async (tokens) => {
    reserved.push(tokens)
    return hasRoom
  })
  const verify = createVerifier({ env, own: null, nonce: '12345678' }, made, createLog('turn'))
  const verifier = { verify, close: () => made.close() }
  return { verifier, reserved, calls, asked: asked.promise, answer: answered.resolve }
}

describe('what a verifier uses', () => {
  it('is reserved with its turn, call by call, and told when the turn is over', async () => {
    const { verifier, reserved, answer } = openVerifier()
    answer()
    expect(await verifier.verify(CLAIMS)).toEqual(new Map([[CLAIM.id, true]]))
    await verifier.verify(CLAIMS)
    expect(reserved).toHaveLength(2)
    expect(reserved[0]).toBeGreaterThan(120)
    expect(verifier.close()).toEqual([
      {
        kind: 'guard',
        model: 'judge',
        calls: 2,
        inputTokens: 200,
        outputTokens: 40,
        estimatedTokens: 0,
      },
    ])
  })

  it('is all that was reserved where the turn does not wait for the answer', async () => {
    const { verifier, reserved, asked, answer } = openVerifier()
    const verdicts = verifier.verify(CLAIMS)
    await asked
    const [tokens] = reserved
    const whole = { inputTokens: tokens, outputTokens: 0, estimatedTokens: tokens }
    expect(verifier.close()).toEqual([{ kind: 'guard', model: 'judge', calls: 1, ...whole }])
    answer()
    await verdicts
  })

  it('is nothing without room for it, or once the turn is over', async () => {
    const poor = openVerifier(false)
    expect(await poor.verifier.verify(CLAIMS)).toEqual(new Map())
    expect([poor.verifier.close(), poor.calls]).toEqual([[], []])
    const { verifier, calls } = openVerifier()
    const late = verifier.verify(CLAIMS)
    expect(verifier.close()).toEqual([])
    expect([await late, calls]).toEqual([new Map(), []])
  })
})

describe('what a turn’s calls use', () => {
  const usage = { inputTokens: 3, outputTokens: 2, estimatedTokens: 1 }
  const call = { tokens: 10, run: async () => ({ usage, said: 'yes' }) }

  it('is summed up by kind and model, and gives each its answer', async () => {
    const calls = new TurnCalls(async () => true)
    expect(await calls.make('chat', 'one', call)).toEqual({ usage, said: 'yes' })
    await Promise.all([calls.make('storyline', 'one', call), calls.make('chat', 'one', call)])
    await calls.make('chat', 'other', call)
    const twice = { calls: 2, inputTokens: 6, outputTokens: 4, estimatedTokens: 2 }
    expect(calls.close()).toEqual(
      expect.arrayContaining([
        { kind: 'chat', model: 'one', ...twice },
        { kind: 'storyline', model: 'one', calls: 1, ...usage },
        { kind: 'chat', model: 'other', calls: 1, ...usage },
      ]),
    )
  })

  it('is nothing for a call that fails, and nothing is reserved once the turn is over', async () => {
    const reserved: number[] = []
    const calls = new TurnCalls(async (tokens) => reserved.push(tokens) > 0)
    const failing = {
      tokens: 5,
      run: async (): Promise<{ usage: typeof usage }> => {
        throw new Error('down')
      },
    }
    await expect(calls.make('chat', 'one', failing)).rejects.toThrow('down')
    expect(calls.close()).toEqual([])
    expect(await calls.make('chat', 'one', call)).toBe(null)
    expect(reserved).toEqual([5])
  })
})
