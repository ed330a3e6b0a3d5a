import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One call of a method, as the server got it. */
export interface BotCall {
  token: string
  method: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what was sent, and says what it expects of it.
  body: any
  at: number
}

export interface Bot {
  token: string
  id: number
  username: string
  /** What setWebhook said last. */
  webhook: { url: string; secret: string } | null
  updates: number
}

export interface TelegramServer {
  url: string
  /** `host:port`, as EGRESS_ALLOW takes it. */
  pair: string
  calls: BotCall[]
  addBot(): Bot
  bots(): Bot[]
  /** Puts a file where getFile finds it. */
  addFile(id: string, bytes: Uint8Array): void
  /** Answers the next calls of a method with this instead: status and body. */
  failNext(method: string, ...answers: { status: number; body: Record<string, unknown> }[]): void
  /** Called as soon as a call came in, before it is answered. */
  onCall(listener: ((call: BotCall) => void | Promise<void>) | null): void
  /** Texts that were sent to a chat. */
  sentTo(chat: number): string[]
  /** Delivers an update as the Bot API does. The answer's own method call is carried out. */
  deliver(bot: Bot, update: Record<string, unknown>, options?: DeliverOptions): Promise<Response>
  /** A private message. */
  say(
    bot: Bot,
    chat: number,
    message: Record<string, unknown>,
    lang?: string,
    url?: string,
  ): Promise<Response>
  close(): Promise<void>
}

interface DeliverOptions {
  secret?: string | null
  /** Instead of the address that setWebhook named. */
  url?: string
}

interface BotAnswer {
  status: number
  body: Record<string, unknown>
}

const refuse = (status: number, description: string): BotAnswer => ({
  status,
  body: { ok: false, error_code: status, description },
})

let minted = 100_000

/** A loopback server that speaks the Bot API: getMe, setWebhook, deleteWebhook, sendMessage, sendChatAction, getFile and files. */
export async function startTelegram(): Promise<TelegramServer> {
  const bots = new Map<string, Bot>()
  const files = new Map<string, Uint8Array>()
  const calls: BotCall[] = []
  const failures = new Map<string, { status: number; body: Record<string, unknown> }[]>()
  let listener: ((call: BotCall) => void | Promise<void>) | null = null

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })
  const send = (response: ServerResponse, { status, body }: BotAnswer) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(path)
    if (file) {
      const bytes = files.get((file[2] ?? '').replace(/^photos\/(.*)\.bin$/, '$1'))
      if (!bots.has(file[1] ?? '') || !bytes) return send(response, refuse(404, 'Not Found'))
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.end(bytes)
      return
    }
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const call: BotCall = { token, method, body: text ? JSON.parse(text) : {}, at: Date.now() }
    calls.push(call)
    await listener?.(call)
    const bot = bots.get(token)
    if (!bot) return send(response, refuse(401, 'Unauthorized'))
    const failure = failures.get(method)?.shift()
    send(response, failure ?? carryOut(bot, call))
  }

  function carryOut(bot: Bot, { method, body }: BotCall): BotAnswer {
    const done = (result: unknown) => ({ status: 200, body: { ok: true, result } })
    switch (method) {
      case 'getMe':
        return done({ id: bot.id, is_bot: true, first_name: 'Help desk', username: bot.username })
      case 'setWebhook':
        if (!/^[A-Za-z0-9_-]{1,256}$/.test(body.secret_token)) {
          return refuse(400, 'Bad Request: secret token contains unallowed characters')
        }
        bot.webhook = { url: body.url, secret: body.secret_token }
        return done(true)
      case 'deleteWebhook':
        bot.webhook = null
        return done(true)
      case 'sendMessage': {
        const problem = checkMessage(body)
        return problem ? refuse(400, `Bad Request: ${problem}`) : done({ message_id: 1 })
      }
      case 'sendChatAction':
        return done(true)
      case 'getFile': {
        const bytes = files.get(body.file_id)
        if (!bytes) return refuse(400, 'Bad Request: invalid file_id')
        return done({
          file_id: body.file_id,
          file_size: bytes.length,
          file_path: `photos/${body.file_id}.bin`,
        })
      }
      default:
        return refuse(404, 'Not Found')
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const deliver: TelegramServer['deliver'] = async (bot, update, options = {}) => {
    const secret = options.secret === undefined ? bot.webhook?.secret : options.secret
    const response = await fetch(options.url ?? bot.webhook?.url ?? 'http://127.0.0.1:1/', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secret ? { 'x-telegram-bot-api-secret-token': secret } : {}),
      },
      body: JSON.stringify(update),
    })
    const reply = (await response
      .clone()
      .json()
      .catch(() => null)) as {
      method?: string
    } | null
    if (response.ok && reply?.method) {
      const { method, ...body } = reply
      calls.push({ token: bot.token, method, body, at: Date.now() })
    }
    return response
  }

  return {
    url: `http://127.0.0.1:${port}`,
    pair: `127.0.0.1:${port}`,
    calls,
    addBot() {
      minted += 1
      const id = Number(`${process.pid}${minted}`)
      const token = `${id}:${'AbCdEf-_0123456789'.repeat(2).slice(0, 35)}`
      const bot: Bot = { token, id, username: `desk_${minted}_bot`, webhook: null, updates: 1000 }
      bots.set(token, bot)
      return bot
    },
    bots: () => [...bots.values()],
    addFile: (id, bytes) => void files.set(id, bytes),
    failNext: (method, ...answers) => void failures.set(method, answers),
    onCall: (next) => {
      listener = next
    },
    sentTo: (chat) =>
      calls
        .filter(({ method, body }) => method === 'sendMessage' && body.chat_id === chat)
        .map(({ body }) => body.text),
    deliver,
    say: (bot, chat, message, lang = 'en', url = bot.webhook?.url) =>
      deliver(bot, makeUpdate(bot, chat, message, lang), url === undefined ? {} : { url }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** An update with the next id of the bot. */
export function makeUpdate(
  bot: Bot,
  chat: number,
  message: Record<string, unknown>,
  lang = 'en',
): Record<string, unknown> {
  bot.updates += 1
  return {
    update_id: bot.updates,
    message: {
      message_id: bot.updates,
      date: Math.floor(Date.now() / 1000),
      chat: { id: chat, type: 'private', first_name: 'Ada' },
      from: { id: chat, is_bot: false, first_name: 'Ada', language_code: lang },
      ...message,
    },
  }
}

const TAGS = /^(?:b|i|u|s|code|pre|a|blockquote)$/

/** What the Bot API refuses of a message's text. */
function checkMessage(body: Record<string, unknown>): string | null {
  const { text, parse_mode: mode } = body
  if (typeof text !== 'string' || text.trim() === '') return 'message text is empty'
  const plain = mode === 'HTML' ? readHtml(text) : text
  if (plain === null) return "can't parse entities"
  return plain.length > 4096 ? 'message is too long' : null
}

/** The text of a message in the Bot API's HTML, or null where its markup is wrong. */
export function readHtml(html: string): string | null {
  const open: string[] = []
  let plain = ''
  for (const [whole, tag, text] of html.matchAll(/<([^>]*)>|([^<]+)/g)) {
    if (text !== undefined) {
      if (/[>]|&(?!(?:lt|gt|amp|quot|#\d+);)/.test(text)) return null
      plain += text
      continue
    }
    const [, slash, name = '', rest = ''] = /^(\/?)([a-z]+)(.*)$/.exec(tag ?? '') ?? []
    if (!TAGS.test(name) || (name !== 'a' && rest !== '')) return null
    if (name === 'a' && !slash && !/^ href="[^"<>]*"$/.test(rest)) return null
    if (slash ? open.pop() !== name : open.includes('pre') || open.includes('code')) return null
    if (!slash) open.push(name)
    if (whole === '<>') return null
  }
  if (open.length > 0) return null
  return plain
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
