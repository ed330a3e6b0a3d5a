import {
  type APICallError,
  generateText,
  jsonSchema,
  type ModelMessage,
  streamText,
  tool,
} from 'ai'
import { describe, expect, it } from 'vitest'
import { resolveChatModel } from '../../../src/models/chat-model'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was sent.
type Body = any
type Refusal = (body: Body) => string | null

let made = 0

/** A model behind an endpoint that refuses requests as real servers do, and what it was sent. */
function modelThat(
  refuses: Refusal,
  status = 400,
  whose = { tenantId: 'one', model: `limited-${made++}` },
) {
  const bodies: Body[] = []
  const fetch = async (_url: unknown, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body))
    bodies.push(body)
    const message = refuses(body)
    if (message !== null) return Response.json({ error: { message } }, { status })
    if (!body.stream)
      return Response.json({ choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }] })
    const chunk = { choices: [{ delta: { content: 'Hi.' }, finish_reason: 'stop' }] }
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  }
  const own = {
    ...whose,
    provider: 'openai-compatible',
    baseUrl: 'http://models.test/v1',
    apiKey: null,
    fetch: fetch as typeof globalThis.fetch,
  } as const
  const resolved = resolveChatModel({}, null, own)
  if (resolved === null) throw new Error('no model')
  return { bodies, model: resolved.model }
}

const TOOLS = {
  clock: tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'now' }),
}
const asked = { prompt: 'Hi', maxOutputTokens: 50, temperature: 0, maxRetries: 0, tools: TOOLS }

const REFUSED: [name: string, refuses: Refusal, seen: (body: Body) => unknown, want: unknown][] = [
  [
    'max_tokens (OpenAI)',
    (body) =>
      body.max_tokens
        ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        : null,
    (body) => [body.max_tokens, body.max_completion_tokens],
    [undefined, 50],
  ],
  [
    'temperature (OpenAI)',
    (body) =>
      body.temperature === undefined
        ? null
        : "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
    (body) => body.temperature,
    undefined,
  ],
  [
    'tools (Ollama)',
    (body) => (body.tools ? 'registry.ollama.ai/library/gemma:2b does not support tools' : null),
    (body) => body.tools,
    undefined,
  ],
  [
    'tool choice (vLLM)',
    (body) =>
      body.tools
        ? '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
        : null,
    (body) => body.tools,
    undefined,
  ],
  [
    'stream_options',
    (body) =>
      body.stream_options ? 'Unrecognized request argument supplied: stream_options' : null,
    (body) => body.stream_options,
    undefined,
  ],
  [
    'two of them at once',
    (body) =>
      body.max_tokens
        ? "Use 'max_completion_tokens' instead of max_tokens."
        : body.temperature === undefined
          ? null
          : "'temperature' is not supported.",
    (body) => [body.max_completion_tokens, body.temperature],
    [50, undefined],
  ],
]

describe('an endpoint that refuses what others take', () => {
  it.each(REFUSED)('%s: is asked without, and not twice', async (_name, refuses, seen, want) => {
    const { bodies, model } = modelThat(refuses)
    expect(await streamText({ ...asked, model }).text).toBe('Hi.')
    expect(seen(bodies.at(-1))).toEqual(want)
    const before = bodies.length
    expect(await streamText({ ...asked, model }).text).toBe('Hi.')
    expect(bodies).toHaveLength(before + 1)
    expect((await generateText({ ...asked, model })).text).toBe('Hi.')
    expect(bodies).toHaveLength(before + 2)
    expect(seen(bodies.at(-1))).toEqual(want)
  })

  it.each([400, 413])(
    'is sent the newer half of a dialogue that is too long (%d)',
    async (status) => {
      const { bodies, model } = modelThat(
        ({ messages }) =>
          messages.length > 6
            ? "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens."
            : null,
        status,
      )
      const messages: ModelMessage[] = Array.from({ length: 21 }, (_, n) => ({
        role: n % 2 === 0 ? 'user' : 'assistant',
        content: `Message ${n}`,
      }))
      const input = { instructions: 'Be brief.', messages, maxRetries: 0 }
      expect(await streamText({ ...input, model }).text).toBe('Hi.')
      const sent = bodies.at(-1).messages
      expect(sent[0]).toMatchObject({ role: 'system', content: 'Be brief.' })
      expect(sent[1].role).toBe('user')
      expect(sent.at(-1).content).toBe('Message 20')
      // A dialogue that is too long says nothing of the next one.
      await streamText({ ...input, messages: messages.slice(0, 3), model }).text
      expect(bodies.at(-1).messages).toHaveLength(4)
    },
  )

  /** What a strict chat template does not take, as vLLM, llama.cpp and others pass it on. */
  const strict =
    (system: boolean) =>
    ({ messages }: Body) => {
      const roles: string[] = messages.map(({ role }: { role: string }) => role)
      if (!system && roles.includes('system')) return 'System role not supported'
      const said = roles.filter((role) => role !== 'system')
      return said.every((role, n) => role === (n % 2 === 0 ? 'user' : 'assistant'))
        ? null
        : 'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...'
    }

  it.each([
    ['Mistral’s (vLLM)', 400, true],
    ['Gemma’s (llama.cpp)', 500, false],
  ])('is sent a dialogue that its template takes: %s', async (_name, status, system) => {
    const { bodies, model } = modelThat(strict(system), status)
    const messages: ModelMessage[] = [
      { role: 'assistant', content: 'How can I help?' },
      { role: 'user', content: 'A question that failed' },
      { role: 'user', content: 'The question' },
      { role: 'assistant', content: 'An answer.' },
      { role: 'user', content: 'And then?' },
    ]
    const input = { instructions: 'Be brief.', messages, maxRetries: 0, model }
    expect(await streamText(input).text).toBe('Hi.')
    const sent = bodies.at(-1).messages.map(({ role, content }: Body) => [role, content])
    const dialogue = [
      ['assistant', 'How can I help?'],
      ['user', 'A question that failed\n\nThe question'],
      ['assistant', 'An answer.'],
      ['user', 'And then?'],
    ]
    expect(sent).toEqual(
      system
        ? [['system', 'Be brief.'], ['user', '…'], ...dialogue]
        : [['user', 'Be brief.'], ...dialogue],
    )
    const before = bodies.length
    expect((await generateText(input)).text).toBe('Hi.')
    expect(bodies).toHaveLength(before + 1)
    const asIs = { ...input, messages: messages.slice(2) }
    expect(await streamText(asIs).text).toBe('Hi.')
    expect(bodies).toHaveLength(before + 2)
  })

  it('leaves out the older half of a dialogue that is too long for a model of Workers AI', async () => {
    const sent: string[][] = []
    const run = async (_model: string, { messages, stream }: Body) => {
      sent.push(messages.map(({ content }: Body) => content))
      const tokens = JSON.stringify(messages).length / 4 + 50
      if (tokens > 120)
        throw new Error(
          `5021: The estimated number of input and maximum output tokens (${tokens}) exceeded this model context window limit (120).`,
        )
      if (!stream) return { response: 'Hi.' }
      return new Response('data: {"response":"Hi."}\n\ndata: [DONE]\n\n').body
    }
    const resolved = resolveChatModel({ AI: { run } as unknown as Ai }, null)
    if (resolved === null) throw new Error('no model')
    const messages = ['one', 'two', 'three', 'four', 'five'].map(
      (said, i): ModelMessage => ({ role: i % 2 ? 'assistant' : 'user', content: said.repeat(9) }),
    )
    const input = { model: resolved.model, messages, maxOutputTokens: 50, maxRetries: 0 }
    expect((await generateText(input)).text).toBe('Hi.')
    expect(await streamText(input).text).toBe('Hi.')
    const left = messages.slice(-3).map(({ content }) => content)
    expect(sent.map((said) => said.slice(-3))).toEqual([left, left, left, left])
    expect(sent.map(({ length }) => length)).toEqual([5, 3, 5, 3])
  })

  it.each([
    ['says nothing of why', 'Bad request'],
    ['refuses a single message as too long', 'maximum context length is 8 tokens'],
  ])('fails where it %s', async (_name, message) => {
    const { model } = modelThat(() => message)
    await expect(generateText({ ...asked, model })).rejects.toThrow()
  })

  const picture = {
    type: 'file',
    mediaType: 'image/png',
    data: new Uint8Array([1, 2, 3]),
  } as const
  const shown: ModelMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'My own words' }, picture] },
  ]
  const blind: Refusal = ({ messages }) =>
    JSON.stringify(messages).includes('image_url') ? 'image input is not supported' : null

  it('is remembered without what it was sent', async () => {
    const { bodies, model } = modelThat(blind)
    const ask = () => generateText({ model, messages: shown, maxRetries: 0 })
    await expect(ask()).rejects.toThrow()
    const refusal = await ask().catch((error: unknown) => error)
    expect(bodies).toHaveLength(1)
    expect(refusal).toMatchObject({ statusCode: 400 })
    expect((refusal as APICallError).requestBodyValues).toEqual({})
  })

  it('says nothing of what another tenant’s account may do at the same address', async () => {
    const shared = `shared-${made++}`
    const one = modelThat(blind, 400, { tenantId: 'one', model: shared })
    const other = modelThat(() => null, 400, { tenantId: 'other', model: shared })
    const input = { messages: shown, maxRetries: 0 }
    await expect(generateText({ ...input, model: one.model })).rejects.toThrow()
    expect((await generateText({ ...input, model: other.model })).text).toBe('Hi.')
  })
})
