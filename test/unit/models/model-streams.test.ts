import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it, vi } from 'vitest'
import { createWorkersAI } from 'workers-ai-provider'
import { streamChat } from '../../../src/models/openai-stream'
import { streamWorkersAi } from '../../../src/models/workers-ai-stream'

type Part = LanguageModelV4StreamPart

const PROMPT: LanguageModelV4CallOptions['prompt'] = [
  { role: 'user', content: [{ type: 'text', text: 'hi' }] },
]
const TOOLS: LanguageModelV4CallOptions['tools'] = [
  { type: 'function', name: 'clock', description: 'Time', inputSchema: { type: 'object' } },
]

/** How a stream's bytes may be cut: whole, one by one, and in sevens, which falls into the middle of characters. */
const CUTS = [Number.POSITIVE_INFINITY, 1, 7]

function bodyOf(text: string, size: number, broken = false): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size))
      else if (broken) controller.error(new Error('cut off'))
      else controller.close()
      at += size
    },
  })
}

/**
 * What a reader of the parts sees: pieces of one block joined, made-up ids of calls by their order, failures by their being
 * there. What follows one nobody reads. When the arguments of a call are told matters to nobody: they are listed at the end.
 */
async function seen(stream: ReadableStream<Part>): Promise<unknown[]> {
  const parts: unknown[] = []
  const ids = new Map<string, string>()
  const idOf = (id: string): string => {
    const known = ids.get(id) ?? `call ${ids.size}`
    ids.set(id, known)
    return known
  }
  const inputs: Record<string, string> = {}
  let joined = null as { type: string; delta: string } | null
  try {
    for await (const part of stream) {
      const { type } = part
      if (type === 'response-metadata') continue
      if (type === 'tool-input-start') inputs[idOf(part.id)] = `${part.toolName} `
      if (type === 'tool-input-delta') inputs[idOf(part.id)] += part.delta
      if (type.startsWith('tool-input')) continue
      if (type === 'text-delta' || type === 'reasoning-delta') {
        if (joined?.type === type) joined.delta += part.delta
        else {
          joined = { type, delta: part.delta }
          parts.push(joined)
        }
        continue
      }
      joined = null
      if (type === 'error') return [...parts, 'failed']
      if (type === 'tool-call')
        parts.push({ type, id: idOf(part.toolCallId), tool: part.toolName, input: part.input })
      else if (type === 'finish') {
        const { inputTokens, outputTokens } = part.usage
        const { total, cacheRead } = inputTokens
        parts.push({ finish: part.finishReason, total, cacheRead, output: outputTokens.total })
      } else parts.push(type)
    }
  } catch {
    return [...parts, 'failed']
  }
  return [...parts, inputs]
}

const data = (body: unknown) =>
  `data: ${typeof body === 'string' ? body : JSON.stringify(body)}\n\n`
const chunk = (delta: unknown, finish_reason: string | null = null) =>
  data({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })
const said = (content: string) => chunk({ content })
const STOP = chunk({}, 'stop')
const USAGE = data({
  choices: [],
  usage: {
    prompt_tokens: 9,
    completion_tokens: 4,
    prompt_tokens_details: { cached_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 1 },
  },
})
const DONE = 'data: [DONE]\n\n'
const called = (...calls: object[]) => chunk({ tool_calls: calls })
const CLOCK = { name: 'clock', arguments: '{"zone":"Europe/Berlin"}' }

const OPENAI: Record<string, string> = {
  'a plain answer': said('Good ') + said('day.') + STOP + USAGE + DONE,
  'CRLF line ends': (said('Good ') + said('day.') + STOP + DONE).replaceAll('\n', '\r\n'),
  'comments and other fields': `: ping\n\nevent: x\nid: 7\nretry: 3\n${said('Hi')}:\n\n${STOP}${DONE}`,
  'no blank after the colon': `data:${JSON.stringify({ choices: [{ delta: { content: 'Hi' } }] })}\n\n${STOP}${DONE}`,
  'data over several lines': `data: {"choices":\ndata: [{"delta":{"content":"Hi"}}]}\n\n${STOP}${DONE}`,
  'no [DONE]': said('Hi') + STOP,
  'nothing at all': '',
  'usage with the last choice': said('Hi') + STOP + USAGE,
  'no usage': said('Hi') + STOP + DONE,
  'characters of several bytes': said('Grüße 你好 👋🏽') + said('¿qué?') + STOP + DONE,
  'an empty answer': chunk({ role: 'assistant', content: '' }) + STOP + DONE,
  'null deltas': chunk({ content: null }) + chunk(null) + chunk({}) + STOP + DONE,
  'empty choices': data({ choices: [] }) + said('Hi') + STOP + DONE,
  'a byte order mark': `\uFEFF${said('Hi')}${STOP}${DONE}`,
  reasoning_content:
    chunk({ reasoning_content: 'Hm, ' }) +
    chunk({ reasoning_content: 'yes.' }) +
    said('Yes.') +
    STOP +
    DONE,
  reasoning:
    chunk({ reasoning: 'Hm.' }) +
    said('Yes.') +
    chunk({ reasoning: 'Or?' }) +
    said('Yes!') +
    STOP +
    DONE,
  'typed content':
    chunk({
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
        { type: 'text', text: 'Yes' },
      ],
    }) +
    STOP +
    DONE,
  'a refusal': chunk({ refusal: 'I will not.' }) + STOP + DONE,
  'an answer that was cut': said('Half an') + chunk({}, 'length') + DONE,
  'a filter': said('Hm') + chunk({}, 'content_filter') + DONE,
  'a finish reason of its own': said('Hm') + chunk({}, 'eos') + DONE,
  'a tool call in pieces':
    called({ index: 0, id: 'a', type: 'function', function: { name: 'clock', arguments: '' } }) +
    called({ index: 0, function: { arguments: '{"zone":' } }) +
    called({ index: 0, function: { arguments: '"UTC"}' } }) +
    chunk({}, 'tool_calls') +
    DONE,
  'two calls in turn':
    called({ index: 0, id: 'a', function: { name: 'clock', arguments: '{}' } }) +
    called({ index: 1, id: 'b', function: { name: 'clock', arguments: '{' } }) +
    called({ index: 1, function: { arguments: '}' } }) +
    chunk({}, 'tool_calls') +
    DONE,
  'two calls at once, of one id':
    called({ index: 0, id: 'a', function: CLOCK }, { index: 1, id: 'a', function: CLOCK }) +
    chunk({}, 'tool_calls') +
    DONE,
  'calls without index':
    called({ id: 'a', function: CLOCK }, { id: 'b', function: CLOCK }) +
    chunk({}, 'tool_calls') +
    DONE,
  'calls that all have index 0':
    called({ index: 0, id: 'a', function: CLOCK }) +
    called({ index: 0, id: 'b', function: CLOCK }) +
    chunk({}, 'tool_calls') +
    DONE,
  'a call whose field is written in escapes':
    called({ index: 0, id: 'a', function: CLOCK }).replace('tool_calls', 'tool\\u005fcalls') +
    chunk({}, 'stop') +
    DONE,
  'a call without id': called({ index: 0, function: CLOCK }) + chunk({}, 'tool_calls') + DONE,
  'a call whose name comes late':
    called({ index: 0, id: 'a', function: { arguments: '{"a"' } }) +
    called({ index: 0, function: { name: 'clock', arguments: ':1}' } }) +
    chunk({}, 'tool_calls') +
    DONE,
  'a call with neither name nor end':
    called({ index: 0, id: 'a', function: { arguments: '{}' } }) + chunk({}, 'tool_calls') + DONE,
  'arguments that are no JSON':
    called({ index: 0, id: 'a', function: { name: 'clock', arguments: '{"tim' } }) +
    chunk({}, 'tool_calls') +
    DONE,
  'text around a call':
    said('Let me look. ') +
    called({ index: 0, id: 'a', function: CLOCK }) +
    said('Wait.') +
    chunk({}, 'tool_calls') +
    DONE,
  'thought before a call':
    chunk({ reasoning_content: 'Hm' }) +
    called({ index: 0, id: 'a', function: CLOCK }) +
    chunk({}, 'tool_calls') +
    DONE,
  'an error in the stream':
    said('We') +
    data({ error: { message: 'overloaded', type: 'server_error', param: null, code: null } }) +
    DONE,
  'a line that is no JSON': said('We') + data('{"choices":[{') + STOP + DONE,
  'a chunk that is no object': said('We') + data('7') + STOP + DONE,
}

const NATIVE: Record<string, string> = {
  'its own form':
    data({ response: 'Good ' }) +
    data({ response: 'day.' }) +
    data({ response: '', usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } }) +
    DONE,
  'numbers for text':
    data({ response: 1 }) + data({ response: '2' }) + data({ response: 0 }) + DONE,
  'null for text': data({ response: null }) + data({ response: 'Hi' }) + DONE,
  'no [DONE]': data({ response: 'Hi' }),
  'nothing at all': '',
  'nothing but [DONE]': DONE,
  'no usage': data({ response: 'Hi' }) + DONE,
  'the protocol’s form': said('Hi') + STOP + USAGE + DONE,
  'the protocol’s form without finish reason': said('Hi') + DONE,
  'reasoning first': chunk({ reasoning_content: 'Hm' }) + said('Yes') + STOP + DONE,
  'an answer that was cut':
    data({ response: 'Half' }) + data({ response: '', finish_reason: 'length' }) + DONE,
  'a limit of the model': said('Half') + chunk({}, 'model_length') + DONE,
  'an end as error': said('Half') + chunk({}, 'error') + DONE,
  'calls in its own form':
    data({ tool_calls: [{ name: 'clock', arguments: { zone: 'UTC' } }] }) +
    data({ response: '' }) +
    DONE,
  'a call in pieces':
    called({ index: 0, id: 'a', type: 'function', function: { name: 'clock' } }) +
    called({ index: 0, function: { arguments: '{"zone":' } }) +
    called({ index: 0, function: { arguments: '"UTC"}' } }) +
    called({ id: null, type: null, function: { name: null, arguments: '' } }) +
    chunk({}, 'tool_calls') +
    DONE,
  'two calls':
    called({ index: 0, id: 'a', function: CLOCK }) +
    called({ index: 1, id: 'b', function: CLOCK }) +
    chunk({}, 'tool_calls') +
    DONE,
  'a line that is no JSON':
    data({ response: 'We' }) + data('{"resp') + data({ response: 'll' }) + DONE,
  'CRLF line ends': (data({ response: 'Good ' }) + data({ response: 'day.' }) + DONE).replaceAll(
    '\n',
    '\r\n',
  ),
  'characters of several bytes': data({ response: 'Grüße 你好 👋🏽' }) + DONE,
}

const OPTIONS: LanguageModelV4CallOptions = { prompt: PROMPT, tools: TOOLS, maxOutputTokens: 50 }

async function bothOpenAi(text: string, size: number, broken = false) {
  const fetch = () => Promise.resolve(new Response(bodyOf(text, size, broken)))
  const theirs = createOpenAICompatible({ name: 'x', baseURL: 'http://x/v1', fetch })
  const endpoint = { baseUrl: 'http://x/v1', apiKey: null, fetch }
  return [
    await seen((await streamChat(endpoint, 'm', OPTIONS)).stream),
    await seen((await theirs.chatModel('m').doStream(OPTIONS)).stream),
  ]
}

async function bothNative(text: string, size: number, options = OPTIONS) {
  const ai = { run: () => Promise.resolve(bodyOf(text, size)) } as unknown as Ai
  const theirs = createWorkersAI({ binding: ai })
  return [
    await seen((await streamWorkersAi(ai, '@cf/m', options)).stream),
    await seen((await theirs.chat('@cf/m').doStream(options)).stream),
  ]
}

describe('a stream of an OpenAI-compatible endpoint, beside the SDK’s own reader', () => {
  const cases = Object.entries(OPENAI).flatMap(([name, text]) =>
    CUTS.map((size) => [name, size, text] as const),
  )
  it.each(cases)('reads %s, cut at %d', async (_name, size, text) => {
    const [ours, theirs] = await bothOpenAi(text, size)
    expect(ours).toEqual(theirs)
  })

  it('fails where the connection breaks', async () => {
    const [ours, theirs] = await bothOpenAi(said('We'), 9, true)
    expect(ours).toEqual(theirs)
    expect(ours?.at(-1)).toBe('failed')
  })

  it.each([
    ['chunks without choices', data({}) + said('Hi') + data({ usage: null }) + STOP + DONE],
    ['an error of null', data({ error: null, choices: [] }) + said('Hi') + STOP + DONE],
    ['an end that gives no reason', said('Hi') + DONE],
    ['a whole message as a chunk', data({ choices: [{ message: { content: 'Hi' } }] }) + STOP],
    ['a text as of old', data({ choices: [{ text: 'Hi', finish_reason: 'stop' }] })],
    ['a last event without its blank line', said('Hi') + STOP.trimEnd()],
  ])('reads %s, which the SDK takes for a failure', async (_name, text) => {
    const [ours] = await bothOpenAi(text, 5)
    expect(ours).toContainEqual({ type: 'text-delta', delta: 'Hi' })
    expect(ours).not.toContain('failed')
  })

  it('takes the first of several choices', async () => {
    const other = data({
      choices: [{ index: 1, delta: { content: 'No.' }, finish_reason: 'stop' }],
    })
    const [ours] = await bothOpenAi(said('Hi') + other + STOP + DONE, 9)
    expect(JSON.stringify(ours)).not.toContain('No.')
  })

  it.each([
    ['with its last line', said('Hi') + STOP + DONE],
    ['with its reason', said('Hi') + STOP + USAGE],
  ])('is over %s, though the connection stays open', async (_name, text) => {
    vi.useFakeTimers()
    try {
      const { promise: cancelled, resolve } = Promise.withResolvers<void>()
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
        cancel: () => resolve(),
      })
      const fetch = () => Promise.resolve(new Response(body))
      const { stream } = await streamChat(
        { baseUrl: 'http://x', apiKey: null, fetch },
        'm',
        OPTIONS,
      )
      const heard = seen(stream)
      await vi.advanceTimersByTimeAsync(6_000)
      expect(JSON.stringify(await heard)).toContain('"stop"')
      await cancelled
    } finally {
      vi.useRealTimers()
    }
  })

  it('takes an answer that comes whole', async () => {
    const body = { choices: [{ message: { content: 'Good day.' }, finish_reason: 'stop' }] }
    const fetch = () => Promise.resolve(Response.json(body))
    const { stream } = await streamChat({ baseUrl: 'http://x', apiKey: null, fetch }, 'm', OPTIONS)
    expect(await seen(stream)).toContainEqual({ type: 'text-delta', delta: 'Good day.' })
  })

  it('makes one part of what one read says of a block', async () => {
    const text = Array.from({ length: 300 }, (_, n) => said(`${n} `)).join('') + STOP + DONE
    const fetch = () => Promise.resolve(new Response(bodyOf(text, Number.POSITIVE_INFINITY)))
    const { stream } = await streamChat({ baseUrl: 'http://x', apiKey: null, fetch }, 'm', OPTIONS)
    const types: string[] = []
    for await (const { type } of stream) types.push(type)
    expect(types).toEqual(['stream-start', 'text-start', 'text-delta', 'text-end', 'finish'])
  })
})

describe('a stream of Workers AI, beside its provider’s own reader', () => {
  const cases = Object.entries(NATIVE).flatMap(([name, text]) =>
    CUTS.map((size) => [name, size, text] as const),
  )
  it.each(cases)('reads %s, cut at %d', async (_name, size, text) => {
    const [ours, theirs] = await bothNative(text, size)
    expect(ours).toEqual(theirs)
  })

  it('leaves a forced tool that was written as text to the provider', async () => {
    const options = { ...OPTIONS, toolChoice: { type: 'tool' as const, toolName: 'clock' } }
    const text = data({ response: JSON.stringify({ name: 'clock', zone: 'UTC' }) }) + DONE
    const [ours, theirs] = await bothNative(text, 7, options)
    expect(ours).toEqual(theirs)
    expect(JSON.stringify(ours)).toContain('"tool-call"')
  })

  it('takes an answer that comes whole', async () => {
    const run = () => Promise.resolve({ response: 'Good day.', usage: { prompt_tokens: 1 } })
    const { stream } = await streamWorkersAi({ run } as unknown as Ai, '@cf/m', OPTIONS)
    expect(JSON.stringify(await seen(stream))).toContain('Good day.')
  })
})

describe('the request for a stream', () => {
  const picture = { type: 'file' as const, mediaType: 'image/png' }
  const bytes = { type: 'data' as const, data: new Uint8Array([1, 2, 3]) }
  const REQUESTS: Record<string, Partial<LanguageModelV4CallOptions>> = {
    plain: {},
    'every setting': {
      temperature: 0.5,
      topP: 0.9,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      stopSequences: ['x'],
      seed: 3,
    },
    'with tools': { tools: TOOLS, toolChoice: { type: 'auto' } },
    'with a forced tool': { tools: TOOLS, toolChoice: { type: 'tool', toolName: 'clock' } },
    'without thinking': {
      providerOptions: {
        openaiCompatible: {
          reasoningEffort: 'none',
          chat_template_kwargs: { enable_thinking: false },
        },
      },
    },
    'with an effort of null': { providerOptions: { openaiCompatible: { reasoningEffort: null } } },
    'with facts of ours': { providerOptions: { parley: { task: 'answer' } } },
    'with a picture': {
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { ...picture, data: bytes },
          ],
        },
      ],
    },
    'of a whole talk': {
      prompt: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm' },
            { type: 'text', text: 'Hello' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'a', toolName: 'clock', input: { zone: 'UTC' } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'a',
              toolName: 'clock',
              output: { type: 'json', value: { at: 1 } },
            },
            {
              type: 'tool-result',
              toolCallId: 'b',
              toolName: 'clock',
              output: { type: 'error-text', value: 'no' },
            },
            {
              type: 'tool-result',
              toolCallId: 'c',
              toolName: 'clock',
              output: { type: 'content', value: [{ type: 'text', text: 'x' }] },
            },
          ],
        },
      ],
    },
  }

  it.each(Object.entries(REQUESTS))('is the SDK’s own: %s', async (_name, more) => {
    const sent: { url: string; body: unknown; headers: object }[] = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers))
      delete headers['user-agent']
      sent.push({ url: String(url), body: JSON.parse(String(init?.body)), headers })
      return new Response(bodyOf(STOP, 9))
    }
    const options = { prompt: PROMPT, maxOutputTokens: 50, ...more }
    const endpoint = { baseUrl: 'http://x/v1/', apiKey: 'sk', fetch }
    await streamChat(endpoint, 'm', options)
    await createOpenAICompatible({
      name: 'openai-compatible',
      baseURL: 'http://x/v1/',
      apiKey: 'sk',
      fetch,
      includeUsage: true,
    })
      .chatModel('m')
      .doStream(options)
    expect(sent[0]).toEqual(sent[1])
  })
})
