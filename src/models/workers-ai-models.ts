import type { ModelProvider } from '../config/names'

/**
 * How a model is told not to think before it answers: it never does; by the effort `none`; by its chat template's
 * `enable_thinking`; it cannot be told, only to think little; nobody knows, so that it is found out.
 */
export type Thinking = 'never' | 'effort-none' | 'template' | 'cannot' | 'unknown'

/** What is known of a chat model. Null where nobody told. */
export interface ChatModelInfo {
  id: string
  provider: ModelProvider
  /** `facts`: of the prompt it reads what is asked and what is fenced, and follows no order; it wants `TurnFacts` beside it. */
  reads: 'prompt' | 'facts'
  /** Whether it can tell from a user's words what to remember of them. */
  learns: boolean
  /** Whether images may be sent. Unknown endpoints are believed to. */
  vision: boolean
  tools: boolean
  /** Tokens of prompt and answer together. */
  contextWindow: number | null
  thinking: Thinking
  /** US dollars for a million tokens. */
  price: { input: number; output: number } | null
}

export const DEFAULT_WORKERS_AI_MODEL = '@cf/google/gemma-4-26b-a4b-it'

/**
 * The Workers AI models an agent may name: those that call tools; the default first, which speaks 140 languages, sees,
 * and thinks only when asked to.
 *
 * Sources: windows, vision and tools from each model's page and its record in cloudflare/cloudflare-docs
 * (src/content/workers-ai-models); prices from developers.cloudflare.com/workers-ai/platform/pricing as of 2026-08-28;
 * thinking from cloudflare-docs pull request 33541 and models.dev pull requests 2832 and 7454 (Gemma and Kimi: efforts
 * `none` and `high`; GLM: its template's toggle; GPT-OSS: always, `low` at the least) and Qwen's own chat template.
 */
export const WORKERS_AI_MODELS: readonly ChatModelInfo[] = [
  workersAi(DEFAULT_WORKERS_AI_MODEL, true, 256_000, 'effort-none', 0.1, 0.3),
  workersAi('@cf/zai-org/glm-4.7-flash', false, 131_072, 'template', 0.06, 0.4),
  workersAi('@cf/meta/llama-4-scout-17b-16e-instruct', true, 131_000, 'never', 0.27, 0.85),
  workersAi('@cf/meta/llama-3.3-70b-instruct-fp8-fast', false, 24_000, 'never', 0.293, 2.253),
  workersAi('@cf/mistralai/mistral-small-3.1-24b-instruct', true, 128_000, 'never', 0.351, 0.555),
  workersAi('@cf/qwen/qwen3-30b-a3b-fp8', false, 32_768, 'template', 0.051, 0.335),
  workersAi('@cf/openai/gpt-oss-120b', false, 128_000, 'cannot', 0.35, 0.75),
  workersAi('@cf/openai/gpt-oss-20b', false, 128_000, 'cannot', 0.2, 0.3),
  workersAi('@cf/moonshotai/kimi-k2.6', true, 262_144, 'effort-none', 0.95, 4),
]

function workersAi(
  id: string,
  vision: boolean,
  contextWindow: number,
  thinking: Thinking,
  input: number,
  output: number,
): ChatModelInfo {
  const price = { input, output }
  return {
    id,
    provider: 'workers-ai',
    reads: 'prompt',
    learns: true,
    vision,
    tools: true,
    contextWindow,
    thinking,
    price,
  }
}
