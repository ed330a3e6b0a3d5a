import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the scripted model does for one request. */
export interface ModelAct {
  text?: string
  reasoning?: string
  toolCalls?: { name: string; arguments: string }[]
  /** Between two pieces of the text. */
  pieceDelayMs?: number
  pieceChars?: number
  /** After the text of a streamed answer, or before a whole one: nothing more before this resolves. */
  until?: Promise<void>
  finishReason?: 'stop' | 'length' | 'tool_calls' | 'content_filter'
  /** An error instead of an answer. */
  status?: number
  /** What the error says. */
  message?: string
  /** Null: the endpoint reports none. */
  usage?: { prompt_tokens: number; completion_tokens: number } | null
  /** The stream as it is, a chunk an entry: what no well-behaved endpoint sends. Whole answers stay as they are. */
  raw?: readonly (RawChunk | string)[]
  /** How the stream ends: as it should, without its last line, or cut off in the middle. */
  end?: 'done' | 'silent' | 'cut'
}

/** The one choice of a chunk. */
export interface RawChunk {
  delta?: unknown
  finish_reason?: string | null
}

export interface ChatCall {
  model: string
  stream?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever the Worker sent.
  messages: any[]
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  tools?: any[]
  tool_choice?: unknown
  max_tokens?: number
  reasoning_effort?: string
  temperature?: number
}

/** What the endpoint does when it is to read a text aloud. */
export interface SpeechAct {
  pieces?: readonly Uint8Array[]
  /** Nothing after the first piece before this resolves. */
  until?: Promise<void>
  /** Cut off instead of ended. */
  cut?: boolean
  /** An error instead of sound. */
  status?: number
}

export interface SpeechCall {
  model: string
  input: string
  voice: string
  response_format: string
}

/** A tag, as MP3 files begin, and bytes that say which. */
export const mp3 = (text: string): Uint8Array => new TextEncoder().encode(`ID3${text}`)

/** Silence that a browser plays: frames of 26 ms, of 32 kbit/s at 44.1 kHz, mono, with nothing in them. */
export function silentMp3(seconds: number): Uint8Array {
  const FRAME_BYTES = 104
  const frames = Math.ceil(seconds / 0.026)
  const bytes = new Uint8Array(frames * FRAME_BYTES)
  for (let n = 0; n < frames; n++) bytes.set([0xff, 0xfb, 0x10, 0xc4], n * FRAME_BYTES)
  return bytes
}

export interface OpenAiServer {
  /** Ends in /v1. */
  baseUrl: string
  /** Make it the model of a Worker. */
  vars: Record<string, string>
  calls: ChatCall[]
  /** The Authorization header of each call. */
  credentials: (string | undefined)[]
  /** Decides what the model does; `n` counts the streamed calls from 0 (titles and summaries are not streamed). */
  script: (call: ChatCall, n: number) => ModelAct
  transcript: string
  spoken: SpeechCall[]
  speak: (call: SpeechCall) => SpeechAct
  /** What /embeddings answers with. */
  embeddingStatus: number
  /** Numbers of a vector. */
  dimensions: number
  close(): Promise<void>
}

/** An OpenAI-compatible endpoint on loopback: chat completions (streamed or not), embeddings, transcriptions and speech. */
export async function startOpenAi(): Promise<OpenAiServer> {
  const state: OpenAiServer = {
    baseUrl: '',
    vars: {},
    calls: [],
    credentials: [],
    script: () => ({ text: 'Hello.' }),
    transcript: 'When are refunds paid?',
    spoken: [],
    speak: ({ voice }) => ({ pieces: [mp3(voice)] }),
    embeddingStatus: 200,
    dimensions: 64,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server: Server = createServer((request, response) => {
    void answer(state, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  state.vars = {
    MODEL_PROVIDER: 'openai-compatible',
    OPENAI_BASE_URL: state.baseUrl,
    CHAT_MODEL: 'test-model',
  }
  return state
}

async function answer(
  state: OpenAiServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  if (request.url?.endsWith('/audio/transcriptions'))
    return sendJson(response, 200, { text: state.transcript })
  if (request.url?.endsWith('/audio/speech')) {
    const call = JSON.parse(body.toString()) as SpeechCall
    state.spoken.push(call)
    return sendSpeech(state.speak(call), response)
  }
  const json = JSON.parse(body.toString()) as ChatCall & { input?: string | string[] }
  if (request.url?.endsWith('/embeddings')) {
    if (state.embeddingStatus !== 200)
      return sendJson(response, state.embeddingStatus, { error: { message: 'scripted failure' } })
    const texts = [json.input ?? []].flat()
    return sendJson(response, 200, {
      object: 'list',
      model: json.model,
      usage: { prompt_tokens: 1, total_tokens: 1 },
      data: texts.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: embedText(text, state.dimensions),
      })),
    })
  }
  state.calls.push(json)
  state.credentials.push(request.headers.authorization)
  const act = state.script(json, state.calls.filter((call) => call.stream).length - 1)
  if (act.status)
    return sendJson(response, act.status, {
      error: { message: act.message ?? 'scripted failure', type: 'server_error' },
    })
  if (json.stream) return streamAct(json, act, response)
  await act.until
  sendWhole(json, act, response)
}

async function sendSpeech(act: SpeechAct, response: ServerResponse): Promise<void> {
  if (act.status) return sendJson(response, act.status, { error: { message: 'scripted failure' } })
  const [first, ...others] = act.pieces ?? []
  response.writeHead(200, { 'content-type': 'audio/mpeg' })
  if (first) response.write(first)
  await act.until
  for (const piece of others) response.write(piece)
  if (act.cut) response.destroy()
  else response.end()
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20 }
const finishOf = (act: ModelAct) => act.finishReason ?? (act.toolCalls ? 'tool_calls' : 'stop')

function sendWhole(call: ChatCall, act: ModelAct, response: ServerResponse): void {
  sendJson(response, 200, {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: call.model,
    choices: [
      {
        index: 0,
        finish_reason: finishOf(act),
        message: { role: 'assistant', content: act.text ?? null, tool_calls: toolCalls(act) },
      },
    ],
    ...usageOf(act),
  })
}

function usageOf({ usage = USAGE }: ModelAct) {
  if (usage === null) return {}
  return { usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens } }
}

async function streamAct(call: ChatCall, act: ModelAct, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (body: object) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: call.model, ...body })}\n\n`,
    )
  const send = (delta: unknown, finish: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason: finish }] })
  const end = () => {
    if (act.end === 'cut') return response.destroy()
    if (usageOf(act).usage) chunk({ choices: [], ...usageOf(act) })
    return response.end(act.end === 'silent' ? '' : 'data: [DONE]\n\n')
  }
  if (act.raw) {
    for (const one of act.raw) {
      if (typeof one === 'string') response.write(`data: ${one}\n\n`)
      else chunk({ choices: [{ index: 0, ...one }] })
    }
    // What was written is on its way before the connection is cut.
    if (act.end === 'cut') await new Promise((resolve) => setTimeout(resolve, 50))
    end()
    return
  }
  send({ role: 'assistant', content: '' })
  if (act.reasoning) send({ reasoning_content: act.reasoning })
  const text = act.text ?? ''
  const size = act.pieceChars ?? 7
  for (let i = 0; i < text.length && !response.destroyed; i += size) {
    send({ content: text.slice(i, i + size) })
    if (act.pieceDelayMs) await new Promise((resolve) => setTimeout(resolve, act.pieceDelayMs))
  }
  await act.until
  if (act.toolCalls)
    send({ tool_calls: toolCalls(act)?.map((tool, index) => ({ index, ...tool })) })
  if (act.end === 'cut') await new Promise((resolve) => setTimeout(resolve, 50))
  else send({}, finishOf(act))
  end()
}

function toolCalls(act: ModelAct) {
  return act.toolCalls?.map((tool, index) => ({
    id: `call-${index}-${tool.name}`,
    type: 'function',
    function: tool,
  }))
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Words hashed into a unit vector: near for texts that share words, which is all that a test needs. */
function embedText(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 7
    for (const char of word) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
