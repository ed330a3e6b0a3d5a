import { generateText, streamText } from 'ai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveChatModel } from '../../../../src/platform/models/chat-model'
import { type ModelEndpoint, startModelEndpoint } from '../../../support/model-endpoint'

describe('a call that asks the model not to reason', () => {
  let server: ModelEndpoint
  let made = 0
  beforeEach(async () => {
    server = await startModelEndpoint()
  })
  afterEach(() => server.close())

  /** A model of its own: what one endpoint refuses is remembered by name. */
  function freshModel() {
    const CHAT_MODEL = `model-${++made}`
    const env = { MODEL_PROVIDER: 'openai-compatible', OPENAI_BASE_URL: server.baseUrl, CHAT_MODEL }
    const resolved = resolveChatModel(env, null)
    if (resolved === null) throw new Error('no model')
    return resolved.model
  }
  const efforts = () =>
    server.requests.map(({ body }) => (body as { reasoning_effort?: string }).reasoning_effort)
  const ask = (model: ReturnType<typeof freshModel>, reasoning?: 'none') =>
    generateText({ model, prompt: 'Hi', maxRetries: 0, ...(reasoning ? { reasoning } : {}) })

  it('says so to the endpoint, and nothing when it is not asked', async () => {
    const model = freshModel()
    await ask(model, 'none')
    await ask(model)
    expect(efforts()).toEqual(['none', undefined])
  })

  it('goes without where the endpoint does not know the option, and remembers that', async () => {
    const model = freshModel()
    server.script({ type: 'error', status: 400 }, { type: 'text', deltas: ['Well.'] })
    expect((await ask(model, 'none')).text).toBe('Well.')
    const { text } = streamText({ model, prompt: 'Hi', reasoning: 'none', maxRetries: 0 })
    expect(await text).toBe('You said: Hi')
    expect(efforts()).toEqual(['none', undefined, undefined])
  })

  it('remembers nothing of an endpoint that refuses the plain call too', async () => {
    const model = freshModel()
    const refused = { type: 'error', status: 400 } as const
    server.script(refused, refused)
    await expect(ask(model, 'none')).rejects.toMatchObject({ statusCode: 400 })
    await ask(model, 'none')
    expect(efforts()).toEqual(['none', undefined, 'none'])
  })

  it('is not tried again where the endpoint fails', async () => {
    server.script({ type: 'error', status: 503 })
    await expect(ask(freshModel(), 'none')).rejects.toMatchObject({ statusCode: 503 })
    expect(efforts()).toEqual(['none'])
  })
})
