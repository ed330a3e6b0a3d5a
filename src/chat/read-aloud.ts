import { readDayCeiling } from '../agents/read-day-ceiling'
import { SPEECH } from '../config/limits'
import type { SpaceIdentity, UserContext } from '../context'
import { ApiError, conflict, invalid, upstreamFailed } from '../errors'
import { loadReaders, loadSpeech } from '../lazy'
import { hasSpeech, speechModel } from '../models/speech-model'
import { estimateTokens } from '../models/tokens'
import { askSpace } from '../spaces/ask-space'
import { findSpaceByTag } from '../spaces/find-space'
import { tenantFacts } from '../tenants/tenant-facts'
import { detectLanguage } from '../text/detect-language'
import { meterCall } from '../usage/meter-call'
import { dayRules } from './day-rules'

const unavailable = () =>
  new ApiError('unavailable', 'Text to speech is not available', { publicCode: 'tts_unavailable' })

/** What is read, and where its speech is kept. */
interface Reading {
  space: SpaceIdentity
  messageId: string
  voice: string | null
  text: string
  model: string
  editedAt: number | null
  /** Who said it. */
  agentName: string
}

/**
 * An answer of the caller's as speech: as it was kept, else as it is made, metered and kept for the next time.
 * @throws notFound; 503 `tts_unavailable`; 422 for an answer that has nothing to say or too much, and for a voice that the backend
 * does not have; 429 without quota; 502 when the backend fails before it speaks. Later the stream fails, and nothing is kept.
 */
export async function readAloud(
  ctx: UserContext,
  messageId: string,
  voice: string | null,
): Promise<ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>> {
  const space = await findSpaceByTag(ctx, messageId, 'Message')
  const said = await askSpace(ctx, space, 'speeches', 'find', messageId, voice ?? '')
  if (said.audio) return new Uint8Array(said.audio)
  if (!hasSpeech(ctx.env)) throw unavailable()
  if (said.content === null)
    throw conflict('The words of this message cannot be read', 'unreadable')
  const { spokenWords } = await loadReaders()
  const text = spokenWords(said.content, new Set(said.cited))
  const model = speechModel(ctx.env, detectLanguage(text) ?? 'en')
  if (model === null) throw unavailable()
  if (text === '') throw invalid(['body', 'message_id'], 'the answer has no words')
  if (text.length > SPEECH.maxChars)
    throw invalid(
      ['body', 'message_id'],
      `an answer of more than ${SPEECH.maxChars} characters is not read aloud`,
    )
  const { editedAt, agentName } = said
  return make(ctx, { space, messageId, voice, text, model, editedAt, agentName })
}

/** The speech as it comes. What was begun is kept and booked even when its listener leaves. */
async function make(ctx: UserContext, reading: Reading): Promise<ReadableStream<Uint8Array>> {
  const { env, tenant, user } = ctx
  const { space, messageId, voice, text, model } = reading
  const agent = await readDayCeiling(env.DB, tenant.id, reading.agentName)
  const day = {
    userId: user.id,
    agentId: agent?.id ?? '',
    ceiling: tenant.dailyTokensPerUser,
    ofAgent: agent?.ceiling ?? null,
    timezone: tenantFacts(tenant.profile).timezone,
  }
  const begun = Promise.withResolvers<ReadableStream<Uint8Array>>()
  const call = {
    id: crypto.randomUUID(),
    agentId: day.agentId,
    userId: user.id,
    spaceId: space.id,
    kind: 'tts' as const,
    days: dayRules(day, ctx.now),
  }
  const tokens = estimateTokens(text)
  const made = meterCall(env, tenant, call, tokens, async () => {
    const { speak } = await loadSpeech()
    const spoken = await speak(text, voice, model, env).catch((error: unknown) => {
      throw upstreamFailed(error)
    })
    if (!spoken.ok) throw invalid(['body', 'voice'], 'there is no such voice')
    const [heard, kept] = spoken.audio.tee()
    begun.resolve(heard)
    const audio = await new Response(kept).bytes()
    const used = { model, inputTokens: tokens, outputTokens: 0, estimatedTokens: tokens }
    return { value: audio, ...used }
  })
  const keep = (audio: Uint8Array) =>
    askSpace(ctx, space, 'speeches', 'keep', messageId, voice ?? '', reading.editedAt, audio)
      // It has been heard all the same.
      .catch((error: unknown) => ctx.log.error('speech_not_kept', error))
  ctx.waitUntil(made.then(keep, begun.reject))
  return begun.promise
}
