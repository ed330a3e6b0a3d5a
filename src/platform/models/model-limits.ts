import { MIB, MINUTE_MS, SECOND_MS } from '../../config'

/** What an agent's `model` says for the answerer without a model, and what `usage.model` then names. */
export const OFFLINE_MODEL_ID = 'offline'
export const OFFLINE_MODEL_NAME = 'offline-extractive'

export const MODEL_DEADLINES = {
  /** Until the first part of a streamed answer; large models queue. */
  firstPartMs: 60 * SECOND_MS,
  /** Between two parts of a stream. */
  idleMs: 45 * SECOND_MS,
  /** A whole call, streamed or not. */
  totalMs: 5 * MINUTE_MS,
  embedMs: 20 * SECOND_MS,
  transcribeMs: 60 * SECOND_MS,
} as const

export const EMBEDDING = {
  workersAiModel: '@cf/baai/bge-m3',
  workersAiDimensions: 1024,
  /** Texts a call; the platform's own maximum is 100. */
  batch: 96,
  concurrency: 4,
  /** Longer texts are cut: about the models' window of 8,192 tokens in the densest script. */
  maxChars: 12_000,
} as const

export const TRANSCRIPTION = {
  workersAiModel: '@cf/openai/whisper-large-v3-turbo',
  maxChars: 16_000,
  maxAnswerBytes: 1 * MIB,
} as const

export interface ChatModelInfo {
  id: string
  provider: 'workers-ai' | 'openai-compatible' | 'offline'
  /** Whether images may be sent. Unknown endpoints are believed to. */
  vision: boolean
}

export const DEFAULT_WORKERS_AI_MODEL = '@cf/zai-org/glm-4.7-flash'

/** The Workers AI models an agent may name: those that call tools, multilingual first. */
export const WORKERS_AI_MODELS: readonly ChatModelInfo[] = [
  { id: DEFAULT_WORKERS_AI_MODEL, provider: 'workers-ai', vision: false },
  { id: '@cf/meta/llama-4-scout-17b-16e-instruct', provider: 'workers-ai', vision: true },
  { id: '@cf/meta/llama-3.3-70b-instruct-fp8-fast', provider: 'workers-ai', vision: false },
  { id: '@cf/mistralai/mistral-small-3.1-24b-instruct', provider: 'workers-ai', vision: true },
  { id: '@cf/google/gemma-4-26b-a4b-it', provider: 'workers-ai', vision: true },
  { id: '@cf/qwen/qwen3-30b-a3b-fp8', provider: 'workers-ai', vision: false },
  { id: '@cf/openai/gpt-oss-120b', provider: 'workers-ai', vision: false },
  { id: '@cf/openai/gpt-oss-20b', provider: 'workers-ai', vision: false },
  { id: '@cf/moonshotai/kimi-k2.6', provider: 'workers-ai', vision: true },
]
