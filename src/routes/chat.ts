import type { Context } from 'hono'
import * as z from 'zod'
import { type AgentFacts, resolveAgent } from '../agents/resolve-agent'
import type { ReadHeader } from '../api-description/layers'
import { startTurn, type TurnDraft } from '../chat/doors/start-turn'
import { toUiMessages, UI_STREAM_HEADER } from '../chat/doors/ui-message'
import { type Greeting, openGreeting } from '../chat/greeting-id'
import { readImages, readSpeech } from '../chat/media'
import { ChatOut, ChatRequest, chatId, UiMessageRequest } from '../chat/schema'
import type { FinishedTurn, StartedTurn, TurnRequest } from '../chat/turn'
import { BODY_LIMITS } from '../config/limits'
import type { UserContext } from '../context'
import { ApiError, invalid } from '../errors'
import { readPlace } from '../http/edge-place'
import { REPLAYED, readRepeat } from '../http/idempotency'
import { defineRoute } from '../http/route'
import { toIssues } from '../http/validate'
import { isOwnId } from '../platform/ids'
import { userSpace } from '../platform/stubs'
import { askSpace, followSpace } from '../spaces/ask-space'
import { findSpaceByTag } from '../spaces/find-space'
import { isUnseen } from '../text/unseen'
import { pickLanguage } from '../wire/accept-language'
import { uuidParam } from '../wire/fields'
import { parseLax } from '../wire/parse-lax'
import { encodeTexts, readFrames, readLastEventId, SSE_HEADERS, withPings } from '../wire/sse'

const tag = 'Chat'
const turnErrors = [403, 404, 409, 410]
const TURN_HEADERS: ReadHeader[] = ['Accept-Language', 'Idempotency-Key', 'X-Preview']
const Stream = { media: 'text/event-stream' }

export const chatRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/chat',
    also: ['/chat'],
    layer: 'user',
    tag,
    asksEndUser: true,
    summary: 'Send a message and get the whole answer',
    json: ChatRequest,
    reads: TURN_HEADERS,
    answers: { 200: ChatOut },
    beginsTurn: true,
    errors: [400, ...turnErrors, 502],
    bodyLimit: BODY_LIMITS.chat,
    handler: async (c) => {
      const ctx = c.get('user')
      const body = c.req.valid('json')
      const idempotency = await readRepeat(c.req.raw.headers, ctx, 'POST /v1/chat', body)
      const draft = await readDraft(
        c.req.raw,
        ctx,
        { request: body, alias: null, field: 'message' },
        idempotency,
      )
      const { response, replayed } = await startTurn(
        ctx,
        draft,
        (space, request) => space.completeTurn(request) as Promise<FinishedTurn>,
      )
      return c.json(response, 200, replayed ? REPLAYED : {})
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/chat/stream',
    also: ['/chat/stream'],
    layer: 'user',
    tag,
    asksEndUser: true,
    summary:
      'Send a message and get the answer as server-sent events; `?protocol=ui-message` speaks the UI message stream',
    query: z.object({ protocol: z.enum(['events', 'ui-message']).optional() }),
    json: z.record(z.string(), z.unknown()),
    body: z.union([ChatRequest, UiMessageRequest]),
    reads: TURN_HEADERS,
    answers: { 200: Stream },
    beginsTurn: true,
    errors: [400, ...turnErrors],
    bodyLimit: BODY_LIMITS.chat,
    handler: (c) => {
      const body = c.req.valid('json')
      const operation = 'POST /v1/chat/stream'
      return c.req.valid('query').protocol === 'ui-message'
        ? streamTurn(c, operation, fromUiMessages(parse(UiMessageRequest, body)), true)
        : streamTurn(
            c,
            operation,
            { request: parse(ChatRequest, body), alias: null, field: 'message' },
            false,
          )
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/chat/ui',
    also: ['/chat/ui'],
    layer: 'user',
    tag,
    asksEndUser: true,
    summary: 'The UI message stream of the AI SDK: the last user message is the turn',
    json: UiMessageRequest,
    reads: TURN_HEADERS,
    answers: { 200: Stream },
    beginsTurn: true,
    errors: [400, ...turnErrors],
    bodyLimit: BODY_LIMITS.chat,
    handler: (c) => streamTurn(c, 'POST /v1/chat/ui', fromUiMessages(c.req.valid('json')), true),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/chat/ui/{id}/stream',
    also: ['/chat/ui/{id}/stream'],
    layer: 'user',
    tag,
    asksEndUser: true,
    summary:
      'The running turn of a chat as a UI message stream, from its beginning; 204 when none runs',
    params: z.object({ id: chatId }),
    answers: { 200: Stream, 204: 'empty' },
    errors: [404],
    takesEffect: true,
    handler: async (c) => {
      const ctx = c.get('user')
      const session = readChatId(c.req.valid('param').id)
      const space =
        session.sessionId === null
          ? ctx.space
          : await findSpaceByTag(ctx, session.sessionId, 'Session')
      const { keyId } = ctx.actor
      const stream = await followSpace(ctx, space, (caller) =>
        userSpace(ctx.env, caller.address).resumeRunning(caller, session, keyId),
      )
      return stream === null
        ? c.body(null, 204)
        : c.body(toUiStream(stream, ctx.config.streamPingMs), 200, {
            ...SSE_HEADERS,
            ...UI_STREAM_HEADER,
          })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/chat/stream/{message_id}',
    also: ['/chat/stream/{message_id}'],
    layer: 'user',
    tag,
    asksEndUser: true,
    summary:
      'Go on with a turn’s events; after `Last-Event-ID`, while it runs and ten minutes after its end',
    params: z.object({ message_id: uuidParam }),
    reads: ['Last-Event-ID'],
    answers: { 200: Stream },
    errors: [404],
    takesEffect: true,
    handler: async (c) => {
      const ctx = c.get('user')
      const { message_id } = c.req.valid('param')
      const lastId = readLastEventId(c.req.header('last-event-id')) ?? 0
      const space = await findSpaceByTag(ctx, message_id, 'Message')
      const { keyId } = ctx.actor
      const stream = await followSpace(ctx, space, (caller) =>
        userSpace(ctx.env, caller.address).resumeTurn(caller, message_id, lastId, keyId),
      )
      return c.body(stream, 200, SSE_HEADERS)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/chat/stop',
    also: ['/chat/stop'],
    layer: 'user',
    tag,
    asksEndUser: true,
    summary: 'Stop the running turn of a session; what was said so far stays',
    json: z.object({ session_id: uuidParam }),
    answers: { 200: z.object({ stopped: z.boolean() }) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const { session_id } = c.req.valid('json')
      const space = await findSpaceByTag(ctx, session_id, 'Session')
      return c.json({ stopped: await askSpace(ctx, space, 'turns', 'stop', session_id) })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/chat/dismiss',
    also: ['/chat/dismiss'],
    layer: 'user',
    tag,
    asksEndUser: true,
    summary: 'Dismiss the call to action: the session shows none any more',
    json: z.object({ session_id: uuidParam }),
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { session_id } = c.req.valid('json')
      const space = await findSpaceByTag(ctx, session_id, 'Session')
      await askSpace(ctx, space, 'sessions', 'dismissCalls', session_id)
      return c.body(null, 204)
    },
  }),
]

/** One message, whichever protocol it came in. */
interface Sent {
  request: ChatRequest
  /** The client's own name of the session (UI message protocol); null where it sends our id or none. */
  alias: string | null
  /** What the message replaces, where the client has no id of ours to say it by `request.replaces`. */
  instead?: TurnRequest['replaces']
  /** Where the body says it. */
  field: 'message' | 'messages'
}

/**
 * Begins a turn and answers with its events.
 * @param operation what an Idempotency-Key is bound to
 * @param asUi in the AI SDK's UI message protocol instead of our own events
 */
async function streamTurn(
  c: Pick<Context, 'req' | 'body'> & { get(name: 'user'): UserContext },
  operation: string,
  sent: Sent,
  asUi: boolean,
): Promise<Response> {
  const ctx = c.get('user')
  const idempotency = await readRepeat(c.req.raw.headers, ctx, operation, [asUi, sent])
  const draft = await readDraft(c.req.raw, ctx, sent, idempotency)
  const { stream, replayed } = await startTurn(
    ctx,
    draft,
    (space, request) => space.startTurn(request) as Promise<StartedTurn>,
  )
  const headers = { ...SSE_HEADERS, ...(replayed ? REPLAYED : {}) }
  return asUi
    ? c.body(toUiStream(stream, ctx.config.streamPingMs), 200, { ...headers, ...UI_STREAM_HEADER })
    : c.body(stream, 200, headers)
}

const toUiStream = (
  stream: ReadableStream<Uint8Array>,
  pingMs: number,
): ReadableStream<Uint8Array> =>
  encodeTexts(withPings(readFrames(stream).pipeThrough(toUiMessages()), pingMs))

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = parseLax(schema, body)
  if (result.success) return result.data
  throw new ApiError('validation', toIssues(result.error.issues, body, 'body'))
}

/** Reads everything that a chat call says, body, media and headers. @throws ApiError 422 for what does not fit together. */
async function readDraft(
  call: Request,
  ctx: UserContext,
  { request: body, alias, instead = null, field }: Sent,
  idempotency: TurnDraft['idempotency'],
): Promise<TurnDraft> {
  const { headers } = call
  const preview = ctx.byKey && headers.get('x-preview') === '1'
  // A repeated request is answered from storage: its recording is not transcribed, and paid for, again.
  const replayOnly = body.audio != null && (await isKnown(ctx, body, idempotency))
  const transcript =
    body.audio == null || replayOnly
      ? null
      : await readSpeech(body.audio, ctx, () => findAgent(ctx, body, preview))
  const images = readImages({
    loc: ['body', 'images'],
    images: (body.images ?? []).map((url, at) => ({ url, at })),
  })
  const replaces = body.replaces ?? instead
  if (body.replaces != null && body.session_id == null && alias === null)
    throw missing('session_id')
  const message = transcript ?? body.message ?? ''
  if (isUnseen(message) && images.length === 0 && replaces === null && !replayOnly) {
    if (transcript !== null) throw invalid(['body', 'audio'], 'nothing was said in it')
    if (body.message === undefined) throw missing('message')
    throw new ApiError('validation', [
      {
        type: 'string_too_short',
        loc: ['body', field],
        msg: 'String should have at least 1 character',
      },
    ])
  }
  return {
    message,
    transcript,
    images,
    replaces,
    greeting: body.greeting_id == null ? null : await readGreeting(ctx, body, body.greeting_id),
    sessionId: body.session_id ?? null,
    sessionAlias: alias,
    agentName: body.agent ?? null,
    k: body.k ?? null,
    lang: pickLanguage(headers.get('accept-language')),
    place: readPlace(call, ctx),
    channel: ctx.byKey ? 'api' : 'web',
    preview,
    idempotency,
    replayOnly,
    history: null,
    maxOutputTokens: null,
  }
}

/** Whether the space has this key already, so that the request begins no turn. */
async function isKnown(
  ctx: UserContext,
  { session_id }: ChatRequest,
  idempotency: TurnDraft['idempotency'],
): Promise<boolean> {
  if (idempotency === null) return false
  const space = session_id == null ? ctx.space : await findSpaceByTag(ctx, session_id, 'Session')
  return askSpace(ctx, space, 'turns', 'knows', idempotency, ctx.now)
}

/**
 * The agent that a recording is for, which has to be known before the turn, as transcribing counts for its quota: the one
 * that is named, else the session's, else the default one.
 */
async function findAgent(
  ctx: UserContext,
  { agent: named = null, session_id }: ChatRequest,
  preview: boolean,
): Promise<AgentFacts> {
  if (session_id == null) return resolveAgent(ctx, named, preview)
  const space = await findSpaceByTag(ctx, session_id, 'Session')
  const session = { sessionId: session_id, sessionAlias: null }
  const id = named ? null : await askSpace(ctx, space, 'sessions', 'agentOf', session)
  return resolveAgent({ ...ctx, space }, id === null ? named : { id }, preview)
}

/** What the agent said before the first message. @throws ApiError 422 for an id that we did not give, or in a session that has begun. */
async function readGreeting(
  { config, tenant, now }: UserContext,
  { session_id }: ChatRequest,
  sealed: string,
): Promise<Greeting> {
  const refuse = (problem: string) => invalid(['body', 'greeting_id'], problem)
  if (session_id != null) throw refuse('only the first message of a new session comes with it')
  const greeting = await openGreeting(config, tenant, sealed, now)
  if (!greeting) throw refuse('it is not known, or has ended')
  return greeting
}

const missing = (field: string) =>
  new ApiError('validation', [{ type: 'missing', loc: ['body', field], msg: 'Field required' }])

function fromUiMessages(body: UiMessageRequest): Sent {
  const last = body.messages.findLast((message) => message.role === 'user')
  if (!last) throw invalid(['body', 'messages'], 'at least one user message is needed')
  // `messageId` is one of our ids, or a name that the client gave its own message: those mean nothing here.
  const again = body.trigger === 'regenerate-message'
  const replaces = isOwnId(body.messageId ?? '') ? body.messageId : null
  const { sessionId, sessionAlias: alias } = readChatId(body.id)
  const field = 'messages'
  if (again && replaces) return { request: { session_id: sessionId, replaces }, alias, field }
  // Refused rather than ignored: the answer would read as if the file had been looked at.
  const unread = last.parts.findIndex(
    ({ type, mediaType }) => type === 'file' && !mediaType?.startsWith('image/'),
  )
  if (unread >= 0)
    throw invalid(
      ['body', 'messages', body.messages.indexOf(last), 'parts', unread, 'mediaType'],
      'files are images; documents belong into a knowledge base',
    )
  const said = {
    message: last.parts
      .flatMap((part) => (part.type === 'text' && part.text ? [part.text] : []))
      .join('\n'),
    images: last.parts.flatMap((part) => (part.type === 'file' && part.url ? [part.url] : [])),
    agent: body.agent ?? null,
  }
  const checked = parse(ChatRequest, said)
  const request = { ...checked, session_id: sessionId, replaces }
  if (body.messageId == null) return { request, alias, instead: again ? 'last' : null, field }
  // The named message was edited or is to be answered anew. It is found by the last answer of ours that stands before it.
  const after = body.messages.findLast(isAnswer)?.id ?? null
  return { request, alias, instead: { role: again ? 'assistant' : 'user', after }, field }
}

const isAnswer = ({ id = '', role }: UiMessageRequest['messages'][number]) =>
  role === 'assistant' && isOwnId(id)

/** One of our ids is a session's; any other text is the client's own name for one. */
const readChatId = (id: string) =>
  isOwnId(id)
    ? { sessionId: id.toLowerCase(), sessionAlias: null }
    : { sessionId: null, sessionAlias: id }
