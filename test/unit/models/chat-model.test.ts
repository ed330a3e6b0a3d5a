import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OFFLINE_MODEL_NAME } from '../../../src/config/names'
import { listChatModels, resolveChatModel, type TenantModel } from '../../../src/models/chat-model'
import type { ModelEnv } from '../../../src/models/model-env'
import { wellFormed } from '../../../src/models/openai-endpoint'
import { WORKERS_AI_MODELS } from '../../../src/models/workers-ai-models'
import { type ModelEndpoint, startModelEndpoint } from '../../support/model-endpoint'

/** Stands for the binding: nothing here calls it. */
const AI = { run: () => Promise.reject(new Error('not called')) } as unknown as Ai
const OWN: TenantModel = {
  provider: 'openai-compatible',
  tenantId: 'one',
  baseUrl: 'https://models.tenant.example/v1',
  apiKey: 'sk-own',
  model: 'own-model',
  fetch,
}

describe('the model registry', () => {
  it('has only the offline answerer where nothing is configured', () => {
    expect(listChatModels({}).map((info) => info.id)).toEqual(['offline'])
    expect(resolveChatModel({}, null)?.name).toBe(OFFLINE_MODEL_NAME)
  })

  it('lists Workers AI with the binding, and its default comes from it', () => {
    const ids = listChatModels({ AI }).map((info) => info.id)
    expect(ids).toEqual([...WORKERS_AI_MODELS.map((info) => info.id), 'offline'])
    expect(resolveChatModel({ AI }, null)?.info.provider).toBe('workers-ai')
    expect(resolveChatModel({ AI, CHAT_MODEL: '@cf/openai/gpt-oss-20b' }, null)?.name).toBe(
      '@cf/openai/gpt-oss-20b',
    )
  })

  it('lists CHAT_MODEL and CHAT_MODELS of the endpoint, each once', () => {
    const env: ModelEnv = {
      MODEL_PROVIDER: 'openai-compatible',
      OPENAI_BASE_URL: 'http://x/v1',
      CHAT_MODEL: 'a',
      CHAT_MODELS: 'b, a ,c,',
    }
    expect(listChatModels(env).map((info) => info.id)).toEqual(['a', 'b', 'c', 'offline'])
    expect(resolveChatModel(env, null)?.name).toBe('a')
    expect(resolveChatModel(env, 'c')?.info.provider).toBe('openai-compatible')
  })

  it('puts the tenant’s own model first and between the agent’s choice and the platform’s', () => {
    expect(listChatModels({}, OWN).map((info) => info.id)).toEqual(['own-model', 'offline'])
    expect(resolveChatModel({}, null, OWN)?.name).toBe('own-model')
    expect(resolveChatModel({}, 'offline', OWN)?.name).toBe(OFFLINE_MODEL_NAME)
  })

  it('knows nothing else', () => {
    expect(resolveChatModel({}, 'gpt-unknown')).toBeNull()
    expect(resolveChatModel({}, WORKERS_AI_MODELS[0]?.id ?? '')).toBeNull()
    expect(
      resolveChatModel({ AI, CHAT_MODELS: 'needs-an-endpoint' }, 'needs-an-endpoint'),
    ).toBeNull()
  })

  it('names the variable that is missing', () => {
    expect(() => resolveChatModel({ MODEL_PROVIDER: 'openai-compatible' }, null)).toThrow(
      'OPENAI_BASE_URL',
    )
    expect(() => resolveChatModel({ MODEL_PROVIDER: 'workers-ai' }, null)).toThrow('AI binding')
    expect(() => resolveChatModel({ MODEL_PROVIDER: 'other' }, null)).toThrow('MODEL_PROVIDER')
  })
})

it('sends half a character to no endpoint', () => {
  const body = { a: 'cut \ud83d', b: ['\udc00x'], c: 'whole 😀', d: String.raw`\ud83d` }
  const json = wellFormed(JSON.stringify(body))
  expect(json).not.toMatch(/[^\\]\\ud[89a-f]/)
  expect(JSON.parse(json)).toEqual({ ...body, a: 'cut \ufffd', b: ['\ufffdx'] })
})

describe('an OpenAI-compatible endpoint', () => {
  let server: ModelEndpoint
  beforeAll(async () => {
    server = await startModelEndpoint()
  })
  afterAll(() => server.close())

  const env = (): ModelEnv => ({
    MODEL_PROVIDER: 'openai-compatible',
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: 'sk-test',
    CHAT_MODEL: 'fake-1',
  })
  const model = () => {
    const resolved = resolveChatModel(env(), null)
    if (resolved === null) throw new Error('no model')
    return resolved.model
  }

  it('streams text, reasoning and usage', async () => {
    server.script({ type: 'text', deltas: ['Good ', 'day.'], reasoning: ['hm'] })
    const result = streamText({ model: model(), prompt: 'hi' })
    expect(await result.text).toBe('Good day.')
    expect(await result.reasoningText).toBe('hm')
    expect(await result.usage).toMatchObject({ inputTokens: 11, outputTokens: 2 })
    const request = server.requests.at(-1)
    expect(request?.headers.authorization).toBe('Bearer sk-test')
    expect(request?.body).toMatchObject({
      model: 'fake-1',
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('runs the tool loop', async () => {
    server.script(
      { type: 'tools', calls: [{ name: 'add', input: { a: 2, b: 3 } }] },
      { type: 'text', deltas: ['It is 5.'] },
    )
    const add = tool({
      inputSchema: jsonSchema<{ a: number; b: number }>({
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
      }),
      execute: ({ a, b }) => a + b,
    })
    const result = streamText({
      model: model(),
      prompt: '2 + 3?',
      tools: { add },
      stopWhen: isStepCount(3),
    })
    expect(await result.text).toBe('It is 5.')
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('"tool_call_id":"call_0"')
  })

  it('reports a cut answer as length', async () => {
    server.script({ type: 'text', deltas: ['Half an'], finish: 'length' })
    const result = await generateText({ model: model(), prompt: 'hi' })
    expect(result.finishReason).toBe('length')
  })

  it.each([429, 500])('tries again after a %i and fails when it stays', async (status) => {
    server.script({ type: 'error', status }, { type: 'text', deltas: ['ok'] })
    expect((await generateText({ model: model(), prompt: 'hi', maxRetries: 1 })).text).toBe('ok')
    server.script({ type: 'error', status, message: 'still down' })
    await expect(
      generateText({ model: model(), prompt: 'hi', maxRetries: 0 }),
    ).rejects.toMatchObject({ statusCode: status })
  })

  it('closes the upstream connection when the caller aborts', async () => {
    server.script({ type: 'text', deltas: ['a', 'b', 'c'], betweenMs: 1000 })
    const abort = new AbortController()
    const result = streamText({
      model: model(),
      prompt: 'hi',
      abortSignal: abort.signal,
      onError: () => {},
    })
    for await (const part of result.stream) if (part.type === 'text-delta') abort.abort()
    await expect.poll(() => server.requests.at(-1)?.aborted).toBe(true)
  })
})

describe('Workers AI', () => {
  const encode = (events: object[]) =>
    new Response(
      `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`,
    ).body

  it('streams what the binding sends, with its usage', async () => {
    const calls: unknown[][] = []
    const binding = {
      run: (...call: unknown[]) => {
        calls.push(call)
        return Promise.resolve(
          encode([
            { response: 'Good ' },
            { response: 'day.' },
            { response: '', usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
          ]),
        )
      },
    } as unknown as Ai
    const resolved = resolveChatModel({ AI: binding }, null)
    if (resolved === null) throw new Error('no model')
    const result = streamText({ model: resolved.model, prompt: 'hi', maxOutputTokens: 50 })
    expect(await result.text).toBe('Good day.')
    expect(await result.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 })
    expect(calls[0]?.[0]).toBe(resolved.name)
    expect(calls[0]?.[1]).toMatchObject({ stream: true, max_tokens: 50 })
  })

  it('passes a failure on', async () => {
    const binding = {
      run: () => Promise.reject(new Error('3040: out of capacity')),
    } as unknown as Ai
    const resolved = resolveChatModel({ AI: binding }, null)
    if (resolved === null) throw new Error('no model')
    await expect(
      generateText({ model: resolved.model, prompt: 'hi', maxRetries: 0 }),
    ).rejects.toThrow('capacity')
  })
})
