import { MODEL_DEADLINES, SPEECH } from '../config/limits'
import { operatorFetch } from '../platform/egress-fetch'
import { endpointUrl, type ModelEnv } from './model-env'

/** `voice`: the backend does not take the voice it was given. */
export type Spoken =
  | { ok: true; audio: ReadableStream<Uint8Array> }
  | { ok: false; reason: 'voice' }

/** What a backend says to a voice that it does not have. */
const REFUSALS = [400, 404, 422]

/**
 * Text as MP3, as it is made. @throws the backend's failure, or Error for an answer that is none, before the first byte; the
 * stream fails where it ends early, is too long or takes longer than 90 s.
 */
export async function speak(
  text: string,
  voice: string | null,
  model: string,
  env: ModelEnv,
): Promise<Spoken> {
  const signal = AbortSignal.timeout(MODEL_DEADLINES.speakMs)
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  expired.catch(() => {})
  const asked =
    env.MODEL_PROVIDER !== 'openai-compatible' && env.AI !== undefined
      ? askWorkersAi(text, voice, model, env.AI)
      : askEndpoint(text, voice, model, env, signal)
  const response = await Promise.race([asked, expired])
  if (!response.ok || response.body === null) {
    await response.body?.cancel()
    if (voice !== null && REFUSALS.includes(response.status)) return { ok: false, reason: 'voice' }
    throw new Error(`The speech backend answered ${response.status}.`)
  }
  return { ok: true, audio: await readMp3(response.body, expired) }
}

/** Aura and what is called like it: `speaker` is its word for a voice. */
function askWorkersAi(
  text: string,
  speaker: string | null,
  model: string,
  AI: Ai,
): Promise<Response> {
  type Aura = typeof SPEECH.workersAiModels.en
  type Speaker = AiModels[Aura]['inputs']['speaker']
  const named = speaker === null ? {} : { speaker: speaker as NonNullable<Speaker> }
  const input = { text, encoding: 'mp3', ...named } as const
  return AI.run(model as Aura, input, { returnRawResponse: true })
}

function askEndpoint(
  input: string,
  voice: string | null,
  model: string,
  env: ModelEnv,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (env.OPENAI_API_KEY) headers.Authorization = `Bearer ${env.OPENAI_API_KEY}`
  const spoken = { voice: voice ?? (env.TTS_VOICE || SPEECH.voice), response_format: 'mp3' }
  return operatorFetch(endpointUrl(env, 'audio/speech'), {
    method: 'POST',
    headers,
    body: JSON.stringify({ model, input, ...spoken }),
    signal,
  })
}

/** The stream once its beginning is known to be MP3. */
async function readMp3(
  body: ReadableStream<Uint8Array>,
  expired: Promise<never>,
): Promise<ReadableStream<Uint8Array>> {
  const reader = body.getReader()
  const read = () => Promise.race([reader.read(), expired])
  const { value: first } = await read()
  if (first === undefined || !isMp3(first)) {
    await reader.cancel()
    throw new Error('The speech backend answered with something else than MP3.')
  }
  let bytes = 0
  const push = (controller: ReadableStreamDefaultController<Uint8Array>, part: Uint8Array) => {
    bytes += part.length
    if (bytes > SPEECH.maxBytes) throw new Error('The speech is too long.')
    controller.enqueue(part)
  }
  return new ReadableStream<Uint8Array>({
    start: (controller) => push(controller, first),
    async pull(controller) {
      try {
        const { done, value } = await read()
        if (done) controller.close()
        else push(controller, value)
      } catch (cause) {
        controller.error(cause)
        await reader.cancel(cause).catch(() => {})
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** A tag of its own before the sound, or the first frame's eleven set bits. */
const isMp3 = ([a = 0, b = 0, c = 0]: Uint8Array): boolean =>
  (a === 0x49 && b === 0x44 && c === 0x33) || (a === 0xff && (b & 0xe0) === 0xe0)
