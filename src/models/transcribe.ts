import * as z from 'zod'
import { MODEL_DEADLINES, TRANSCRIPTION } from '../config/limits'
import { loadAi } from '../lazy'
import { boundedFetch } from '../platform/egress-fetch'
import { endpointUrl, isServed, type ModelEnv } from './model-env'
import { estimateTokens, MOST_CALL_TOKENS } from './tokens'

export interface Audio {
  bytes: Uint8Array
  /** Media type, e.g. `audio/webm`. */
  mime: string
}

export interface Transcript {
  text: string
  model: string
  inputTokens: number
  outputTokens: number
  /** Of both, what the provider did not report. */
  estimatedTokens: number
}

/** What was heard, and what it took where that is told. */
interface Heard {
  text: string
  usage: { inputTokens: number; outputTokens: number } | null
}

/** Compressed speech has some 2,000 bytes a second, for which models that count take ten tokens. */
const AUDIO_BYTES_PER_TOKEN = 200
/** A recording may be no speech, or not compressed. */
const MOST_AUDIO_TOKENS = 20_000

/** What a recording weighs, in tokens, where nobody counts them. */
export const estimateAudio = ({ bytes }: Audio): number =>
  Math.min(MOST_AUDIO_TOKENS, Math.ceil(bytes.length / AUDIO_BYTES_PER_TOKEN))

/** Whether this deployment can turn speech into text. */
export function hasTranscription(env: ModelEnv): boolean {
  return transcriptionModel(env) !== null
}

function transcriptionModel(env: ModelEnv): string | null {
  if (!isServed(env)) return null
  if (env.MODEL_PROVIDER === 'openai-compatible')
    return env.OPENAI_BASE_URL && env.STT_MODEL ? env.STT_MODEL : null
  return env.AI === undefined ? null : env.STT_MODEL || TRANSCRIPTION.workersAiModel
}

/**
 * Speech to text, trimmed, at most 16,000 characters. Null without a backend (the caller answers `stt_unavailable`).
 * @throws after 60 s (EgressError `timeout` or TimeoutError), and the provider's error.
 */
export async function transcribe(audio: Audio, env: ModelEnv): Promise<Transcript | null> {
  const model = transcriptionModel(env)
  if (model === null) return null
  const heard =
    env.MODEL_PROVIDER !== 'openai-compatible' && env.AI !== undefined
      ? await transcribeOnWorkersAi(audio, env.AI, model)
      : await transcribeOverHttp(audio, env, model)
  const text = heard.text.trim().slice(0, TRANSCRIPTION.maxChars)
  if (heard.usage) return { text, model, ...heard.usage, estimatedTokens: 0 }
  const inputTokens = estimateAudio(audio)
  const outputTokens = estimateTokens(text)
  return { text, model, inputTokens, outputTokens, estimatedTokens: inputTokens + outputTokens }
}

async function transcribeOnWorkersAi(audio: Audio, binding: Ai, model: string): Promise<Heard> {
  const abortSignal = AbortSignal.timeout(MODEL_DEADLINES.transcribeMs)
  const { createWorkersAI } = await loadAi()
  const call = createWorkersAI({ binding })
    .transcription(model)
    .doGenerate({ audio: audio.bytes, mediaType: audio.mime, abortSignal })
  const aborted = new Promise<never>((_, reject) => {
    abortSignal.addEventListener('abort', () => reject(abortSignal.reason), { once: true })
  })
  return { text: (await Promise.race([call, aborted])).text, usage: null }
}

/** Some models count tokens, others seconds, others nothing. */
const HttpAnswer = z.object({
  text: z.string().catch(''),
  usage: z
    .object({
      input_tokens: z.int().min(1).max(MOST_CALL_TOKENS),
      output_tokens: z.int().min(0).max(MOST_CALL_TOKENS),
    })
    .nullable()
    .catch(null),
})

async function transcribeOverHttp(audio: Audio, env: ModelEnv, model: string): Promise<Heard> {
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', 'json')
  const name = `audio.${audio.mime.split('/')[1]?.split(';')[0] ?? 'bin'}`
  form.set('file', new Blob([audio.bytes.slice()], { type: audio.mime }), name)
  const headers: Record<string, string> = env.OPENAI_API_KEY
    ? { Authorization: `Bearer ${env.OPENAI_API_KEY}` }
    : {}
  const response = await boundedFetch(
    endpointUrl(env, 'audio/transcriptions'),
    { method: 'POST', body: form, headers },
    {
      maxBytes: TRANSCRIPTION.maxAnswerBytes,
      connectMs: MODEL_DEADLINES.transcribeMs,
      totalMs: MODEL_DEADLINES.transcribeMs,
    },
  )
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The transcription endpoint answered ${response.status}.`)
  }
  const answer = HttpAnswer.safeParse(await response.json())
  if (!answer.success) return { text: '', usage: null }
  const { text, usage } = answer.data
  return {
    text,
    usage: usage && { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
  }
}
