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
