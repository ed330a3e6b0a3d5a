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
  thinking: Thinking
  /** US dollars for a million tokens. */
  price: { input: number; output: number } | null
}

export const DEFAULT_WORKERS_AI_MODEL = '@cf/google/gemma-4-26b-a4b-it'

/**
 * The Workers AI models an agent may name: those that call tools; the default first, which speaks 140 languages, sees
 * and can be told not to think.
 *
 * Sources, read on 2026-11-22. Vision (`vision`, or `image_url` in the schema of its messages), tools
 * (`function_calling`) and price: the model's record in cloudflare/cloudflare-docs, src/content/workers-ai-models/NAME.json;
 * where the record rounds a price, the third digit is of developers.cloudflare.com/workers-ai/platform/pricing. Thinking:
 * the model's inputs in @cloudflare/workers-types 5.20261117.1, which are made of the platform's own data of the model.
 * None is among those that changelog/workers-ai/2026-05-08-planned-model-deprecations ends.
 */
export const WORKERS_AI_MODELS: readonly ChatModelInfo[] = [
  // "This model has no reasoning effort levels": only `enable_thinking`, true where it is left out.
  workersAi(DEFAULT_WORKERS_AI_MODEL, true, 'template', 0.1, 0.3),
  // The same switch. Its price is 5,500 neurons for a million tokens of input.
  workersAi('@cf/zai-org/glm-4.7-flash', false, 'template', 0.0605, 0.4),
  // No `vision` in its record, but `image_url` with a data URL in its messages; its inputs know no reasoning.
  workersAi('@cf/meta/llama-4-scout-17b-16e-instruct', true, 'never', 0.27, 0.85),
  // Text alone; its inputs know no reasoning.
  workersAi('@cf/meta/llama-3.3-70b-instruct-fp8-fast', false, 'never', 0.293, 2.253),
  // As Llama 4 Scout. One record in two says `function_calling`, and both have `tools` in the schema.
  workersAi('@cf/mistralai/mistral-small-3.1-24b-instruct', true, 'never', 0.351, 0.555),
  // Reasons, and its inputs declare no switch (cloudflare-docs issue 29225 asks for it): the one of its chat template.
  workersAi('@cf/qwen/qwen3-30b-a3b-fp8', false, 'template', 0.051, 0.335),
  // "Reasoning cannot be disabled": low, medium (where it is left out) and high. So also the smaller one.
  workersAi('@cf/openai/gpt-oss-120b', false, 'cannot', 0.35, 0.75),
  workersAi('@cf/openai/gpt-oss-20b', false, 'cannot', 0.2, 0.3),
  // "Supported levels: high, none", high where it is left out. Served on the Workers Paid plan alone.
  workersAi('@cf/moonshotai/kimi-k2.6', true, 'effort-none', 0.95, 4),
]

function workersAi(
  id: string,
  vision: boolean,
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
    thinking,
    price,
  }
}
