import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model says next: text in the deltas given, tool calls, or a failure. One entry answers one request. */
export type ScriptedAnswer =
  | {
      type: 'text'
      deltas: readonly string[]
      reasoning?: readonly string[]
      /** `stop` unless told. */
      finish?: 'stop' | 'length'
      /** Wait before the first and between two deltas. */
      firstMs?: number
      betweenMs?: number
      /** Never finish: the stream stays open after the last delta. */
      hang?: boolean
    }
  | { type: 'tools'; calls: readonly { name: string; input: unknown }[] }
  | { type: 'error'; status: number; message?: string }
  | { type: 'silence' }

export interface RecordedRequest {
  path: string
  headers: IncomingMessage['headers']
  /** The parsed JSON body, or the raw text of any other. */
  body: unknown
  /** Set when the client went away before the answer was done. */
  aborted: boolean
}

export interface ModelEndpoint {
  /** To be used as OPENAI_BASE_URL. */
  baseUrl: string
  port: number
  requests: RecordedRequest[]
  /** Queues answers; without one left, `answer` decides. */
  script(...answers: ScriptedAnswer[]): void
  /** The answer to a request that nothing was queued for; by default an echo of the last user message. */
  answer: (body: unknown) => ScriptedAnswer
  close(): Promise<void>
}

const DIMENSIONS = 8

/**
 * A model endpoint on loopback for tests of the transport: it speaks the chat, embedding and transcription protocol most model endpoints share: server-sent
 * events with usage at the end, streamed tool input, errors, silence. Records what it was asked.
 */
export async function startModelEndpoint(): Promise<ModelEndpoint> {
  const queue: ScriptedAnswer[] = []
  const requests: RecordedRequest[] = []
  const sockets = new Set<ServerResponse>()
  const state: Pick<ModelEndpoint, 'answer'> = {
    answer: (body) => ({ type: 'text', deltas: [`You said: ${lastUserText(body)}`] }),
  }
  const server = createServer((request, response) => {
    sockets.add(response)
    response.on('close', () => sockets.delete(response))
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request)
    const isJson = request.headers['content-type']?.includes('json') === true
    const body: unknown = isJson ? JSON.parse(raw.toString('utf8')) : raw.toString('latin1')
    const path = request.url ?? ''
    const record: RecordedRequest = { path, headers: request.headers, body, aborted: false }
    requests.push(record)
    response.on('close', () => {
      record.aborted = !response.writableFinished
    })
    if (path.endsWith('/chat/completions')) return chat(body, response)
    const failure = queue[0]?.type === 'error' ? queue.shift() : undefined
    if (failure?.type === 'error') return fail(response, failure.status, failure.message)
    if (queue[0]?.type === 'silence') return
    if (path.endsWith('/embeddings')) return sendJson(response, 200, embeddings(body))
    if (path.endsWith('/audio/transcriptions'))
      return sendJson(response, 200, { text: ' hello there ' })
    return fail(response, 404, 'no such path')
  }

  async function chat(body: unknown, response: ServerResponse): Promise<void> {
    const answer = queue.shift() ?? state.answer(body)
    if (answer.type === 'silence') return
    if (answer.type === 'error') return fail(response, answer.status, answer.message)
    const streaming = field(body, 'stream') === true
    if (streaming) await streamAnswer(response, answer, body)
    else sendJson(response, 200, wholeAnswer(answer, body))
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    script: (...answers) => {
      queue.push(...answers)
    },
    get answer() {
      return state.answer
    },
    set answer(next) {
      state.answer = next
    },
    close: () => close(server, sockets),
  }
}

async function close(server: Server, open: Set<ServerResponse>): Promise<void> {
  for (const response of open) response.destroy()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined
}

function lastUserText(body: unknown): string {
  const messages = field(body, 'messages')
  if (!Array.isArray(messages)) return ''
  const last = messages.findLast((message) => field(message, 'role') === 'user')
  const content = field(last, 'content')
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map((part) => field(part, 'text') ?? '').join('') : ''
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function fail(response: ServerResponse, status: number, message = 'scripted failure'): void {
  sendJson(response, status, { error: { message, type: 'scripted', param: null, code: null } })
}

/** Deterministic: each text's vector counts its characters by code, so equal texts have equal vectors. */
function embeddings(body: unknown) {
  const input = field(body, 'input')
  const texts = Array.isArray(input) ? input : [input]
  const data = texts.map((text, index) => {
    const embedding = new Array<number>(DIMENSIONS).fill(0)
    for (const c of String(text)) {
      const at = (c.codePointAt(0) ?? 0) % DIMENSIONS
      embedding[at] = (embedding[at] ?? 0) + 1
    }
    return { object: 'embedding', index, embedding }
  })
  return {
    object: 'list',
    data,
    model: 'fake',
    usage: { prompt_tokens: texts.length, total_tokens: texts.length },
  }
}

const base = (body: unknown) => ({
  id: 'chatcmpl-1',
  created: 1_700_000_000,
  model: String(field(body, 'model') ?? 'fake'),
})

type Said = Extract<ScriptedAnswer, { type: 'text' | 'tools' }>

function usageOf(answer: Said) {
  const completion = answer.type === 'text' ? answer.deltas.length : answer.calls.length
  return {
    prompt_tokens: 11,
    completion_tokens: completion,
    total_tokens: 11 + completion,
    prompt_tokens_details: { cached_tokens: 4 },
  }
}

const callsOf = (answer: Extract<ScriptedAnswer, { type: 'tools' }>) =>
  answer.calls.map((call, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }))

function wholeAnswer(answer: Said, body: unknown) {
  const message =
    answer.type === 'text'
      ? { role: 'assistant', content: answer.deltas.join('') }
      : { role: 'assistant', content: null, tool_calls: callsOf(answer) }
  const finish = answer.type === 'text' ? (answer.finish ?? 'stop') : 'tool_calls'
  return {
    ...base(body),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: usageOf(answer),
  }
}

async function streamAnswer(response: ServerResponse, answer: Said, body: unknown): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ ...base(body), object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    )
  const pause = (ms = 0) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined)
  send({ role: 'assistant', content: '' })
  if (answer.type === 'tools') {
    for (const call of callsOf(answer)) {
      // Input streams in two halves, as it does in life.
      const half = Math.ceil(call.function.arguments.length / 2)
      send({
        tool_calls: [
          {
            ...call,
            function: { ...call.function, arguments: call.function.arguments.slice(0, half) },
          },
        ],
      })
      send({
        tool_calls: [
          { index: call.index, function: { arguments: call.function.arguments.slice(half) } },
        ],
      })
    }
    send({}, 'tool_calls')
  } else {
    await pause(answer.firstMs)
    for (const text of answer.reasoning ?? []) send({ reasoning_content: text })
    for (const text of answer.deltas) {
      if (response.destroyed) return
      send({ content: text })
      await pause(answer.betweenMs)
    }
    if (answer.hang) return
    send({}, answer.finish ?? 'stop')
  }
  response.write(
    `data: ${JSON.stringify({ ...base(body), object: 'chat.completion.chunk', choices: [], usage: usageOf(answer) })}\n\n`,
  )
  response.end('data: [DONE]\n\n')
}
