import { afterEach, describe, expect, it, vi } from 'vitest'
import { ClaimVerifier } from '../../../durable-objects/user-space/turns/claim-verifier'
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
  const verifier = new ClaimVerifier(
    { env, own: null, nonce: '12345678' },
    async (tokens) => {
      reserved.push(tokens)
      return hasRoom
    },
    createLog('turn'),
  )
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
    expect(verifier.close()).toEqual({
      model: 'judge',
      calls: 2,
      inputTokens: 200,
      outputTokens: 40,
      estimatedTokens: 0,
    })
  })

  it('is all that was reserved where the turn does not wait for the answer', async () => {
    const { verifier, reserved, asked, answer } = openVerifier()
    const verdicts = verifier.verify(CLAIMS)
    await asked
    const [tokens] = reserved
    const whole = { inputTokens: tokens, outputTokens: 0, estimatedTokens: tokens }
    expect(verifier.close()).toEqual({ model: 'judge', calls: 1, ...whole })
    answer()
    await verdicts
  })

  it('is nothing without room for it, or once the turn is over', async () => {
    const poor = openVerifier(false)
    expect(await poor.verifier.verify(CLAIMS)).toEqual(new Map())
    expect([poor.verifier.close(), poor.calls]).toEqual([null, []])
    const { verifier, calls } = openVerifier()
    const late = verifier.verify(CLAIMS)
    expect(verifier.close()).toBe(null)
    expect([await late, calls]).toEqual([new Map(), []])
  })
})
