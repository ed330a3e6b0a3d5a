import { generateText, streamText } from 'ai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveChatModel } from '../../../src/models/chat-model'
import {
  DEFAULT_WORKERS_AI_MODEL,
  type Thinking,
  WORKERS_AI_MODELS,
} from '../../../src/models/workers-ai-models'
import { type ModelEndpoint, startModelEndpoint } from '../../support/model-endpoint'

describe('what the AI binding is told of thinking', () => {
  type Inputs = {
    reasoning_effort?: string | null
    chat_template_kwargs?: object
    stream?: boolean
  }
  /** A binding that keeps what it was asked; it refuses the first `refused` calls as malformed. */
  function bindingThat(refused = 0) {
    const calls: Inputs[] = []
    const run = async (_model: string, inputs: Inputs) => {
      calls.push(inputs)
      if (calls.length <= refused) throw new Error('5006: Error: oneOf at / not met')
      if (!inputs.stream) return { response: 'Hello.', usage: {} }
      return new Response('data: {"response":"Hello."}\n\ndata: [DONE]\n\n').body
    }
    return { calls, AI: { run } as unknown as Ai }
  }
  const modelOf = (AI: Ai, id: string) => {
    const resolved = resolveChatModel({ AI }, id)
    if (resolved === null) throw new Error('no model')
    return resolved.model
  }
  const OFF: Record<Thinking, object> = {
    never: {},
    'effort-none': { reasoning_effort: 'none' },
    template: { chat_template_kwargs: { enable_thinking: false } },
    cannot: { reasoning_effort: 'low' },
    unknown: { reasoning_effort: 'none' },
  }
  const said = ({ reasoning_effort, chat_template_kwargs }: Inputs = {}) => ({
    ...(reasoning_effort === undefined ? {} : { reasoning_effort }),
    ...(chat_template_kwargs === undefined ? {} : { chat_template_kwargs }),
  })

  it.each(WORKERS_AI_MODELS)('$id does not think unless it is to', async ({ id, thinking }) => {
    const { calls, AI } = bindingThat()
    const model = modelOf(AI, id)
    await generateText({ model, prompt: 'Hi', reasoning: 'none', maxRetries: 0 })
    await streamText({ model, prompt: 'Hi', reasoning: 'none', maxRetries: 0 }).text
    await generateText({ model, prompt: 'Hi', maxRetries: 0 })
    expect(calls.slice(0, 2).map(said)).toEqual([OFF[thinking], OFF[thinking]])
    expect(Object.values(said(calls[2])).flatMap((one) => JSON.stringify(one))).not.toContain(
      'none',
    )
    if (thinking === 'effort-none') expect(said(calls[2])).toEqual({ reasoning_effort: 'high' })
    if (thinking === 'template')
      expect(said(calls[2])).toEqual({ chat_template_kwargs: { enable_thinking: true } })
  })

  it('the switch is one that the platform’s types declare, where they declare any', () => {
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    const off = { chat_template_kwargs: { enable_thinking: false } }
    const declared: { [M in keyof AiModels]?: AiModels[M]['inputs'] } = {
      '@cf/google/gemma-4-26b-a4b-it': { messages, ...off },
      '@cf/zai-org/glm-4.7-flash': { messages, ...off },
      '@cf/openai/gpt-oss-120b': { messages, reasoning_effort: 'low' },
      '@cf/openai/gpt-oss-20b': { messages, reasoning_effort: 'low' },
      '@cf/moonshotai/kimi-k2.6': { messages, reasoning_effort: 'none' },
    }
    const sent = WORKERS_AI_MODELS.filter(({ id }) => id in declared).map(({ id, thinking }) => [
      id,
      { messages, ...OFF[thinking] },
    ])
    expect(Object.fromEntries(sent)).toEqual(declared)
  })

  it('the next way is tried where one is refused, and remembered', async () => {
    const { calls, AI } = bindingThat(1)
    const model = modelOf(AI, '@cf/moonshotai/kimi-k2.6')
    for (let i = 0; i < 2; i++)
      await generateText({ model, prompt: 'Hi', reasoning: 'none', maxRetries: 0 })
    expect(calls.map(said)).toEqual([
      { reasoning_effort: 'none' },
      { reasoning_effort: null },
      { reasoning_effort: null },
    ])
  })

  it('the default sees, calls tools and can be told not to think', () => {
    const [first] = WORKERS_AI_MODELS
    expect(first).toMatchObject({ id: DEFAULT_WORKERS_AI_MODEL, vision: true, tools: true })
    expect(['never', 'effort-none', 'template']).toContain(first?.thinking)
    for (const { price } of WORKERS_AI_MODELS) {
      expect(price?.input).toBeGreaterThan(0)
      expect(price?.output).toBeGreaterThan(0)
    }
  })
})

describe('a call that asks the model not to reason', () => {
  let server: ModelEndpoint
  let made = 0
  beforeEach(async () => {
    server = await startModelEndpoint()
  })
  afterEach(() => server.close())

  /** A model of its own: what one endpoint refuses is remembered by name. */
  function freshModel(family = 'model') {
    const CHAT_MODEL = `${family}-${++made}`
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
    const refused = { type: 'error', status: 400 } as const
    server.script(refused, refused, { type: 'text', deltas: ['Well.'] })
    expect((await ask(model, 'none')).text).toBe('Well.')
    const { text } = streamText({ model, prompt: 'Hi', reasoning: 'none', maxRetries: 0 })
    expect(await text).toBe('You said: Hi')
    expect(efforts()).toEqual(['none', 'low', undefined, undefined])
  })

  it('asks for as little as there is where thinking cannot be left', async () => {
    const model = freshModel()
    server.script({ type: 'error', status: 400 })
    await ask(model, 'none')
    await ask(model, 'none')
    expect(efforts()).toEqual(['none', 'low', 'low'])
  })

  it.each(['zai-org/GLM-4.7-Flash', 'Qwen/Qwen3-30B', 'glm-5.3'])(
    'uses the template’s toggle of %s too',
    async (family) => {
      await ask(freshModel(family), 'none')
      expect(server.requests[0]?.body).toMatchObject({
        reasoning_effort: 'none',
        chat_template_kwargs: { enable_thinking: false },
      })
    },
  )

  it('remembers nothing of an endpoint that refuses the plain call too', async () => {
    const model = freshModel()
    const refused = { type: 'error', status: 400 } as const
    server.script(refused, refused, refused)
    await expect(ask(model, 'none')).rejects.toMatchObject({ statusCode: 400 })
    await ask(model, 'none')
    expect(efforts()).toEqual(['none', 'low', undefined, 'none'])
  })

  it('is not tried again where the endpoint fails', async () => {
    server.script({ type: 'error', status: 503 })
    await expect(ask(freshModel(), 'none')).rejects.toMatchObject({ statusCode: 503 })
    expect(efforts()).toEqual(['none'])
  })
})
