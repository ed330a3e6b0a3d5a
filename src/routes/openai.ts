import * as z from 'zod'
import { getPublishedAgent, listPublishedAgents } from '../agents/published'
import {
  presentCompletion,
  presentModel,
  readCompletion,
  readStop,
  toCompletionChunks,
} from '../chat/doors/openai'
import { startTurn, type TurnDraft } from '../chat/doors/start-turn'
import { readImages } from '../chat/media'
import { CompletionOut, CompletionRequest, ModelList, ModelOut } from '../chat/schema'
import type { FinishedTurn, StartedTurn } from '../chat/turn'
import { BODY_LIMITS } from '../config/limits'
import type { AppContext } from '../context'
import { invalid } from '../errors'
import { readPlace } from '../http/edge-place'
import { REPLAYED, readRepeat } from '../http/idempotency'
import { defineRoute } from '../http/route'
import { isUuid } from '../platform/ids'
import { isUnseen } from '../text/unseen'
import { confirmCaller } from '../users/confirm-caller'
import { pickLanguage } from '../wire/accept-language'
import { nameSought } from '../wire/fields'
import { encodeTexts, readFrames, SSE_HEADERS, withPings } from '../wire/sse'

const tag = 'OpenAI-compatible'

export const openAiRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/models',
    layer: 'app',
    tag,
    summary: 'Published agents as models',
    answers: { 200: ModelList },
    openAi: true,
    handler: async (c) => {
      const ctx = await confirmReader(c.get('app'))
      const agents = await listPublishedAgents(ctx)
      const data = agents.map((agent) => presentModel(agent, ctx))
      return c.json({ object: 'list' as const, data })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/models/{id}',
    layer: 'app',
    tag,
    summary: 'A published agent as a model, by its name',
    params: z.object({ id: nameSought }),
    answers: { 200: ModelOut },
    errors: [404],
    openAi: true,
    handler: async (c) => {
      const ctx = await confirmReader(c.get('app'))
      return c.json(presentModel(await getPublishedAgent(ctx, c.req.valid('param').id), ctx))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/chat/completions',
    layer: 'app',
    tag,
    summary: 'Chat completions of the OpenAI protocol; the model is an agent',
    json: CompletionRequest,
    reads: ['Accept-Language', 'Idempotency-Key', 'X-Preview'],
    streams: true,
    answers: { 200: CompletionOut },
    beginsTurn: true,
    errors: [400, 403, 404, 409, 410, 502],
    bodyLimit: BODY_LIMITS.chat,
    openAi: true,
    handler: async (c) => {
      const body = c.req.valid('json')
      const { message, images, history } = readCompletion(body)
      const ctx = await c.get('app').withUser(body.user ?? null)
      const sessionId = body.metadata?.session_id?.toLowerCase() ?? null
      if (sessionId !== null && !isUuid(sessionId))
        throw invalid(['body', 'metadata', 'session_id'], 'a session id is a UUID')
      const checkedImages = readImages(images)
      if (isUnseen(message) && checkedImages.length === 0)
        throw invalid(['body', 'messages'], 'the last user message is empty')
      const draft: TurnDraft = {
        message,
        transcript: null,
        images: checkedImages,
        sessionId,
        sessionAlias: null,
        agentName: body.model,
        k: null,
        lang: pickLanguage(c.req.header('accept-language')),
        place: readPlace(c.req.raw, ctx),
        channel: 'openai',
        preview: ctx.byKey && c.req.header('x-preview') === '1',
        idempotency: await readRepeat(c.req.raw.headers, ctx, 'POST /v1/chat/completions', body),
        history: sessionId === null ? history : null,
        stop: readStop(body.stop),
        seed: body.seed ?? null,
        maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
      }
      if (!body.stream) {
        const { response, replayed } = await startTurn(
          ctx,
          draft,
          (space, request) => space.completeTurn(request) as Promise<FinishedTurn>,
        )
        return c.json(presentCompletion(response), 200, replayed ? REPLAYED : {})
      }
      const { stream, replayed } = await startTurn(
        ctx,
        draft,
        (space, request) => space.startTurn(request) as Promise<StartedTurn>,
      )
      const chunks = readFrames(stream).pipeThrough(
        toCompletionChunks(body.stream_options?.include_usage === true),
      )
      const headers = { ...SSE_HEADERS, ...(replayed ? REPLAYED : {}) }
      return c.body(encodeTexts(withPings(chunks, ctx.config.streamPingMs)), 200, headers)
    },
  }),
]

/** For X-Space-Id alone: the models are the same in every space. */
async function confirmReader(ctx: AppContext): Promise<AppContext> {
  await confirmCaller(ctx)
  if (!ctx.needsEndUser) await ctx.withUser(null)
  return ctx
}
