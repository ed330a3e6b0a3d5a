import { createWorkersAI } from 'workers-ai-provider'
import { MODEL_DEADLINES, TRANSCRIPTION } from '../../config'
import { boundedFetch } from '../egress-fetch'
import { endpointUrl, type ModelEnv } from './model-env'

export interface Audio {
  bytes: Uint8Array
  /** Media type, e.g. `audio/webm`. */
  mime: string
}

export interface Transcript {
  text: string
  model: string
}

/** Whether this deployment can turn speech into text. */
export function hasTranscription(env: ModelEnv): boolean {
  return transcriptionModel(env) !== null
}

function transcriptionModel(env: ModelEnv): string | null {
  if (env.MODEL_PROVIDER === 'offline') return null
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
  const text =
    env.MODEL_PROVIDER !== 'openai-compatible' && env.AI !== undefined
      ? await transcribeOnWorkersAi(audio, env.AI, model)
      : await transcribeOverHttp(audio, env, model)
  return { text: text.trim().slice(0, TRANSCRIPTION.maxChars), model }
}

async function transcribeOnWorkersAi(audio: Audio, binding: Ai, model: string): Promise<string> {
  const abortSignal = AbortSignal.timeout(MODEL_DEADLINES.transcribeMs)
  const call = createWorkersAI({ binding })
    .transcription(model)
    .doGenerate({ audio: audio.bytes, mediaType: audio.mime, abortSignal })
  const aborted = new Promise<never>((_, reject) => {
    abortSignal.addEventListener('abort', () => reject(abortSignal.reason), { once: true })
  })
  return (await Promise.race([call, aborted])).text
}

async function transcribeOverHttp(audio: Audio, env: ModelEnv, model: string): Promise<string> {
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
  const body: unknown = await response.json()
  if (typeof body !== 'object' || body === null || !('text' in body)) return ''
  return typeof body.text === 'string' ? body.text : ''
}
