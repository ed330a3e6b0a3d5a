import type { AgentFacts } from '../agents/resolve-agent'
import { LIMITS } from '../config/limits'
import type { UserContext } from '../context'
import { badRequest, invalid, upstreamFailed } from '../errors'
import { estimateAudio, hasTranscription, transcribe } from '../models/transcribe'
import { parseDataUrl } from '../platform/uploads/parse-data-url'
import { tenantFacts } from '../tenants/tenant-facts'
import { meterCall } from '../usage/meter-call'
import { dayRules } from './day-rules'
import type { ImageInput } from './turn'

const unavailableSpeech = () => badRequest('Speech to text is not available', 'stt_unavailable')

const IMAGE_KINDS = ['png', 'jpeg', 'webp', 'gif'] as const
const AUDIO_KINDS = ['wav', 'mp3', 'ogg', 'webm', 'm4a'] as const

/** Images as a request has them: a list, of which images may be some. */
export interface SentImages {
  /** Where the list is. */
  loc: (string | number)[]
  images: { url: string; at: number }[]
}

/** Images of a turn from data URLs. @throws ApiError 422 naming the one that is wrong. */
export function readImages({ loc, images: sent }: SentImages): ImageInput[] {
  if (sent.length > LIMITS.imagesPerTurn)
    throw invalid(loc, `one message has at most ${LIMITS.imagesPerTurn} images`)
  const images = sent.map(({ url, at }, index) => {
    const parsed = parseDataUrl(url, { kinds: IMAGE_KINDS, maxBytes: LIMITS.imageBytes })
    if (!parsed.ok) throw invalid([...loc, at], parsed.reason)
    return {
      mime: parsed.mime,
      name: `image-${index + 1}.${parsed.kind}`,
      bytes: new Uint8Array(parsed.bytes),
    }
  })
  if (images.reduce((sum, image) => sum + image.bytes.length, 0) > LIMITS.mediaBytesPerTurn) {
    throw invalid(
      loc,
      `the images of one message have at most ${LIMITS.mediaBytesPerTurn} bytes together`,
    )
  }
  return images
}

/**
 * What was said in a recording, reserved and metered for the agent that will be asked.
 * @throws ApiError 422 for a bad data URL, 400 `stt_unavailable` without a backend, 429 without quota, 502 when it fails; what
 * `findAgent` throws.
 */
export async function readSpeech(
  url: string,
  ctx: UserContext,
  findAgent: () => Promise<AgentFacts>,
): Promise<string> {
  const parsed = parseDataUrl(url, { kinds: AUDIO_KINDS, maxBytes: LIMITS.audioBytes })
  if (!parsed.ok) throw invalid(['body', 'audio'], parsed.reason)
  const { env, tenant, user, space } = ctx
  const audio = { bytes: parsed.bytes, mime: parsed.mime }
  if (!hasTranscription(env)) throw unavailableSpeech()
  const agent = await findAgent()
  const day = {
    userId: user.id,
    agentId: agent.id,
    ceiling: tenant.dailyTokensPerUser,
    ofAgent: agent.config.daily_tokens_per_user,
    timezone: tenantFacts(tenant.profile).timezone,
  }
  const call = {
    id: crypto.randomUUID(),
    agentId: agent.id,
    userId: user.id,
    spaceId: space.id,
    kind: 'stt' as const,
    days: dayRules(day, ctx.now),
  }
  return meterCall(env, tenant, call, estimateAudio(audio), async () => {
    const heard = await transcribe(audio, env).catch((error: unknown) => {
      throw upstreamFailed(error)
    })
    if (heard === null) throw unavailableSpeech()
    const { text, ...used } = heard
    return { value: text, ...used }
  })
}
