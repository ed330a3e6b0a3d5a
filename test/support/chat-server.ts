import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LANGUAGES, type Language } from '../../src/config/names'
import {
  type AgentPageInput,
  renderAgentPage,
  renderNotFoundPage,
} from '../../src/pages/agent-page'
import type { PageAssets } from '../../src/pages/types'
import { contextOf } from './chat-sources'

/** What every page asks for again is packed once. */
const packedFiles = new Map<string, Promise<Buffer | null>>()

function packed(file: string): Promise<Buffer | null> {
  const kept = packedFiles.get(file) ?? readFile(file).then(gzipSync, () => null)
  packedFiles.set(file, kept)
  return kept
}

/** One frame of a scripted turn. `wait` is the pause before it in milliseconds. */
export interface ScriptedFrame {
  event: string
  data: Record<string, unknown>
  wait?: number
  /** The frame is held back until then, or until somebody stops the turn. */
  until?: Promise<unknown>
  /** Cut the connection after this frame, as a lost network would; the turn itself goes on. */
  cut?: boolean
}

export interface ChatBody {
  message: string
  agent?: string
  session_id?: string
  images?: string[]
}

/** What the server answers to one message: frames, or a refusal before the first byte. */
export type Script = (
  body: ChatBody,
) => ScriptedFrame[] | { status: number; body: unknown; headers?: Record<string, string> }

interface Turn {
  messageId: string
  sessionId: string
  frames: { id: number; event: string; data: Record<string, unknown>; cut: boolean }[]
  ended: boolean
  stopped: boolean
  /** Settles `stopping`. */
  stop: () => void
  stopping: Promise<void>
  listeners: Set<() => void>
}

export interface RecordedRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: unknown
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * A stand-in for the API that speaks the contract's frames from a script, so that tests decide what a model "says" and
 * when a connection breaks. It serves the page that the product itself renders, with the product's headers.
 */
export class ChatServer {
  readonly requests: RecordedRequest[] = []
  script: Script = () => reply('Hello.')
  /** Tokens that the server no longer takes. */
  readonly revoked = new Set<string>()
  page: Partial<AgentPageInput> = {}
  /** What is answered to who looks a source up, by its number. */
  context: (n: number) => { status: number; body: unknown } = (n) => ({
    status: 200,
    body: contextOf(n),
  })
  /** What the agent's opening says, by its reader's language. */
  opening: (lang: Language) => unknown = () => ({})
  /** Bytes of streams so far. */
  written = 0
  /** Resolves once they were read: a browser drops what nobody has read of a connection that breaks. */
  allRead: () => Promise<void> = () => Promise.resolve()
  /** True: every request fails as it would without a network. */
  down = false
  readonly #turns = new Map<string, Turn>()
  readonly #sessions = new Map<string, Turn>()
  readonly #server = createServer((request, response) => {
    this.#handle(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  #assets: PageAssets | null = null
  #count = 0

  /** Starts on a free loopback port and returns the origin. */
  async start(): Promise<string> {
    this.#assets = JSON.parse(await readFile('public/assets/manifest.json', 'utf8'))
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.origin
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Requests to this path so far. */
  to(path: string): RecordedRequest[] {
    return this.requests.filter((request) => request.path === path)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin)
    const text = await readBody(request)
    const body: unknown = text === '' ? null : JSON.parse(text)
    const { method = 'GET', headers } = request
    this.requests.push({ method, path: url.pathname, headers, body })
    if (this.down) {
      request.socket.destroy()
      return
    }
    if (url.pathname.startsWith('/assets/')) return this.#asset(url.pathname, response)
    if (url.pathname === '/a/acme/front-desk') return this.#page(url, headers, response)
    if (url.pathname === '/auth/anonymous') return this.#token(response)
    if (url.pathname === '/v1/agents/Front%20desk/opening')
      return json(response, 200, this.opening(language(url, headers)))
    const resumed = /^\/v1\/chat\/stream\/([^/]+)$/.exec(url.pathname)?.[1]
    const rated = /^\/v1\/messages\/([^/]+)\/feedback$/.test(url.pathname)
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (!/^visitor-\d+$/.test(token) || this.revoked.has(token)) {
      if (resumed !== undefined || rated || url.pathname.startsWith('/v1/')) {
        return json(response, 401, { detail: 'Invalid or expired token' })
      }
    }
    if (url.pathname === '/v1/chat/stream') return this.#open(body as ChatBody, response)
    if (resumed !== undefined) return this.#resume(resumed, headers, response)
    if (url.pathname === '/v1/chat/stop') return this.#stop(body as ChatBody, response)
    if (url.pathname === '/v1/chat/dismiss') return json(response, 200, {})
    if (rated) return json(response, 200, {})
    const source = /^\/v1\/messages\/[^/]+\/sources\/(\d+)(\/original)?$/.exec(url.pathname)
    if (source?.[2]) return file(response)
    if (source) {
      const { status, body: told } = this.context(Number(source[1]))
      return json(response, status, told)
    }
    const missing = renderNotFoundPage({
      nonce: 'mAAAAAAAAAAAAAAAAAAAAA==',
      lang: language(url, headers),
      assets: this.assets,
    })
    response.writeHead(missing.status, missing.headers).end(missing.html)
  }

  get assets(): PageAssets {
    if (this.#assets === null) throw new Error('not started')
    return this.#assets
  }

  #page(url: URL, headers: IncomingMessage['headers'], response: ServerResponse): void {
    const page = renderAgentPage({
      origin: this.origin,
      home: '/a/acme/front-desk',
      nonce: crypto.randomUUID().replaceAll('-', ''),
      lang: language(url, headers),
      langExplicit: url.searchParams.has('lang'),
      tenant: { id: 'tenant-1', name: 'Acme Tools', logoUrl: null, accent: null },
      agent: {
        id: 'agent-1',
        name: 'Front desk',
        description: null,
        words: {
          name: 'Front desk',
          greeting: 'Welcome to Acme. Ask me about orders, returns and warranty.',
          menu: [
            { label: 'Return an item', prompt: 'How do I return an item?' },
            { label: 'Warranty', prompt: 'How long is the warranty?' },
            { label: 'Opening hours', prompt: 'When are you open?' },
          ],
        },
        translations: {},
      },
      indexable: false,
      features: {
        feedback: true,
        history: false,
        signIn: true,
        sources: true,
        handOff: false,
        speech: false,
        hears: false,
        opening: false,
      },
      app: { install: 'off', favicon: null, touchIcon: null },
      frame: null,
      assets: this.assets,
      ...this.page,
    })
    response.writeHead(page.status, page.headers).end(page.html)
  }

  async #asset(path: string, response: ServerResponse): Promise<void> {
    const file = join('public', path)
    const bytes = path.includes('..') ? null : await packed(file)
    if (bytes === null) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Encoding': 'gzip',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=31536000, immutable',
    })
    response.end(bytes)
  }

  #token(response: ServerResponse): void {
    this.#count += 1
    json(response, 200, {
      access_token: `visitor-${this.#count}`,
      token_type: 'bearer',
      expires_in: 604_800,
      user_id: `user-${this.#count}`,
      email_verified: false,
    })
  }

  #open(body: ChatBody, response: ServerResponse): void {
    const scripted = this.script(body)
    if (!Array.isArray(scripted)) {
      json(response, scripted.status, scripted.body, scripted.headers)
      return
    }
    this.#count += 1
    const { promise: stopping, resolve: stop } = Promise.withResolvers<void>()
    const turn: Turn = {
      messageId: `message-${this.#count}`,
      sessionId: body.session_id ?? `session-${this.#count}`,
      frames: [],
      ended: false,
      stopped: false,
      stop,
      stopping,
      listeners: new Set(),
    }
    this.#turns.set(turn.messageId, turn)
    this.#sessions.set(turn.sessionId, turn)
    void this.#play(turn, scripted)
    this.#stream(turn, 0, response)
  }

  /** Runs the turn to its end whether anyone listens or not. */
  async #play(turn: Turn, scripted: readonly ScriptedFrame[]): Promise<void> {
    const { sessionId: session_id, messageId: message_id } = turn
    const emit = (event: string, data: Record<string, unknown>, cut = false) => {
      turn.frames.push({ id: turn.frames.length + 1, event, data, cut })
      for (const listener of [...turn.listeners]) listener()
    }
    emit('session', { session_id, message_id, agent: 'Front desk' })
    for (const frame of scripted) {
      if (frame.wait) await new Promise((resolve) => setTimeout(resolve, frame.wait))
      if (frame.until) await Promise.race([frame.until, turn.stopping])
      if (turn.stopped) break
      const identity = frame.event === 'done' ? { session_id, message_id } : {}
      emit(frame.event, { ...frame.data, ...identity }, frame.cut)
    }
    turn.ended = true
    const written = turn.frames.flatMap((f) => (f.event === 'token' ? [f.data.text] : [])).join('')
    if (turn.stopped) {
      emit('done', {
        session_id,
        message_id,
        reply: written,
        sources: [],
        finish_reason: 'stopped',
      })
    }
    for (const listener of [...turn.listeners]) listener()
  }

  #stream(turn: Turn, after: number, response: ServerResponse): void {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
    })
    const write = (text: string) => {
      response.write(text)
      this.written += Buffer.byteLength(text)
    }
    write(': ping\n\n')
    let sent = after
    const push = () => {
      for (const frame of turn.frames) {
        if (frame.id <= sent) continue
        sent = frame.id
        write(`id: ${frame.id}\nevent: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`)
        if (frame.cut) {
          turn.listeners.delete(push)
          void this.allRead().then(() => response.destroy())
          return
        }
      }
      const last = turn.frames.at(-1)?.event
      if (turn.ended && (last === 'done' || last === 'error')) {
        turn.listeners.delete(push)
        response.end()
      }
    }
    turn.listeners.add(push)
    response.on('close', () => turn.listeners.delete(push))
    push()
  }

  #resume(id: string, headers: IncomingMessage['headers'], response: ServerResponse): void {
    const turn = this.#turns.get(id)
    if (turn) this.#stream(turn, Number(headers['last-event-id'] ?? 0), response)
    else json(response, 404, { detail: 'Message not found' })
  }

  #stop(body: ChatBody, response: ServerResponse): void {
    const turn = this.#sessions.get(body.session_id ?? '')
    if (turn) {
      turn.stopped = true
      turn.stop()
    }
    json(response, turn ? 200 : 404, turn ? { stopped: true } : { detail: 'Session not found' })
  }
}

/** Frames of a whole turn: the text in small tokens, its sources and the end. */
export function reply(
  text: string,
  options: {
    sources?: Record<string, unknown>[]
    done?: Record<string, unknown>
    before?: ScriptedFrame[]
    wait?: number
    /** Words from `holdAt` on, sources and the end come after this. */
    until?: Promise<unknown>
    holdAt?: number
    size?: number
  } = {},
): ScriptedFrame[] {
  const { sources = [], done = {}, before = [], wait = 0, size = 6, until, holdAt = 0 } = options
  const chars = [...text]
  const tokens: ScriptedFrame[] = []
  for (let i = 0; i < chars.length; i += size) {
    const text = chars.slice(i, i + size).join('')
    tokens.push({ event: 'token', data: { text }, wait, ...(i >= holdAt && { until }) })
  }
  return [
    ...before,
    ...tokens,
    ...(sources.length > 0 ? [{ event: 'sources', data: { sources } }] : []),
    {
      event: 'done',
      data: { reply: text, sources, finish_reason: 'stop', suggestions: [], ...done },
    },
  ]
}

function language(url: URL, headers: IncomingMessage['headers']): Language {
  const wanted = url.searchParams.get('lang') ?? headers['accept-language']?.split(',')[0]
  return LANGUAGES.find((lang) => lang === wanted) ?? 'en'
}

function file(response: ServerResponse): void {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''terms%20of%20sale.pdf",
  }
  response.writeHead(200, headers).end('%PDF-')
}

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': 'req-7f3a',
    ...headers,
  })
  response.end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
