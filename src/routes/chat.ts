import type { Context } from 'hono'
import * as z from 'zod'
import { readImages, readSpeech } from '../chat/media'
import { ChatOut, ChatRequest, UiMessageRequest } from '../chat/schema'
import { callerOf, refusalError, startTurn, type TurnDraft } from '../chat/start-turn'
import type { FinishedTurn, StartedTurn } from '../chat/turn'
import { toUiMessages, UI_STREAM_HEADER } from '../chat/ui-message'
import { BODY_LIMITS } from '../config'
import { ApiError, invalid, notFound } from '../errors'
import type { AppEnv, UserContext } from '../http/context'
import { readPlace } from '../http/edge-place'
import { uuidParam } from '../http/fields'
import { REPLAYED, readRepeat } from '../http/idempotency'
import { pickLanguage } from '../http/language'
import { defineRoute } from '../http/route'
import { encodeTexts, readFrames, readLastEventId, SSE_HEADERS, withPings } from '../http/sse'
import { toIssues } from '../http/validate'
import type { ReadHeader } from '../openapi/layers'
import { isUuid } from '../platform/ids'
import { userSpace } from '../platform/stubs'
import { findSpaceByTag } from '../spaces/find-space'

const tag = 'Chat'
const turnErrors = [403, 404, 409]
const TURN_HEADERS: ReadHeader[] = ['Accept-Language', 'Idempotency-Key', 'X-Preview']
const Stream = { media: 'text/event-stream' }

export const chatRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/chat',
    also: ['/chat'],
    layer: 'user',
    tag,
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
      const draft = {
        ...(await readDraft(c as unknown as Context<AppEnv>, ctx, body)),
        idempotency: await readRepeat(c.req.raw.headers, ctx, 'POST /v1/chat', body),
      }
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
    handler: async (c) => {
      const ctx = c.get('user')
      const isUi = c.req.valid('query').protocol === 'ui-message'
      const body = isUi
        ? fromUiMessages(parse(UiMessageRequest, c.req.valid('json')))
        : { request: parse(ChatRequest, c.req.valid('json')), alias: null }
      const draft = {
        ...(await readDraft(c as unknown as Context<AppEnv>, ctx, body.request)),
        sessionAlias: body.alias,
        idempotency: await readRepeat(c.req.raw.headers, ctx, 'POST /v1/chat/stream', [isUi, body]),
      }
      const { stream, replayed } = await startTurn(
        ctx,
        draft,
        (space, request) => space.startTurn(request) as Promise<StartedTurn>,
      )
      const headers = { ...SSE_HEADERS, ...(replayed ? REPLAYED : {}) }
      if (!isUi) return c.body(stream, 200, headers)
      const texts = withPings(readFrames(stream).pipeThrough(toUiMessages()))
      return c.body(encodeTexts(texts), 200, { ...headers, ...UI_STREAM_HEADER })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/chat/stream/{message_id}',
    also: ['/chat/stream/{message_id}'],
    layer: 'user',
    tag,
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
      const caller = callerOf({ ...ctx, space })
      const result = await userSpace(ctx.env, caller.address).resumeTurn(caller, message_id, lastId)
      if (!result.ok)
        throw result.refusal.reason === 'session'
          ? notFound('Message')
          : refusalError(result.refusal)
      return c.body(result.stream, 200, SSE_HEADERS)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/chat/stop',
    also: ['/chat/stop'],
    layer: 'user',
    tag,
    summary: 'Stop the running turn of a session; what was said so far stays',
    json: z.object({ session_id: uuidParam }),
    answers: { 200: z.object({ stopped: z.boolean() }) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const { session_id } = c.req.valid('json')
      const space = await findSpaceByTag(ctx, session_id, 'Session')
      const caller = callerOf({ ...ctx, space })
      const result = await userSpace(ctx.env, caller.address).stopTurn(caller, session_id)
      if (!result.ok) throw refusalError(result.refusal)
      return c.json({ stopped: result.stopped })
    },
  }),
]

function parse<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body)
  if (!result.success) throw new ApiError('validation', toIssues(result.error.issues, body, 'body'))
  return result.data
}

/** Media and headers of a chat call, whichever shape it came in. */
async function readDraft(
  c: Context<AppEnv>,
  ctx: UserContext,
  body: ChatRequest,
): Promise<TurnDraft> {
  const headers = c.req.raw.headers
  const transcript = body.audio == null ? null : await readSpeech(body.audio, ctx)
  const images = readImages(body.images ?? [], 'images')
  const message = transcript ?? body.message
  if (message.trim() === '' && images.length === 0) {
    throw new ApiError('validation', [
      {
        type: 'string_too_short',
        loc: ['body', 'message'],
        msg: 'String should have at least 1 character',
      },
    ])
  }
  return {
    message,
    transcript,
    images,
    sessionId: body.session_id?.toLowerCase() ?? null,
    sessionAlias: null,
    agentName: body.agent?.normalize('NFC') ?? null,
    k: body.k ?? null,
    lang: pickLanguage(headers.get('accept-language')),
    place: readPlace(c.req.raw, ctx.byKey),
    channel: ctx.byKey ? 'api' : 'web',
    preview: ctx.byKey && headers.get('x-preview') === '1',
    idempotency: null,
    history: null,
    maxOutputTokens: null,
  }
}

function fromUiMessages(body: UiMessageRequest): { request: ChatRequest; alias: string | null } {
  const last = body.messages.findLast((message) => message.role === 'user')
  if (!last) throw invalid(['body', 'messages'], 'at least one user message is needed')
  const request = {
    message: last.parts
      .flatMap((part) => (part.type === 'text' && part.text ? [part.text] : []))
      .join('\n'),
    images: last.parts.flatMap((part) =>
      part.type === 'file' && part.url && part.mediaType?.startsWith('image/') ? [part.url] : [],
    ),
    agent: body.agent ?? null,
  }
  const checked = parse(ChatRequest, request)
  return isUuid(body.id)
    ? { request: { ...checked, session_id: body.id }, alias: null }
    : { request: checked, alias: body.id }
}
