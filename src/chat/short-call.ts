import { loadAi } from '../lazy'
import type { ResolvedModel } from '../models/chat-model'
import { within } from '../models/deadlines'
import { estimateTokens } from '../models/tokens'
import { SpentTokens } from './spent-tokens'

/** A call for a few words, ready to be reserved and made. */
export interface ShortCall {
  /** What the call may use at most. */
  tokens: number
  /** @throws ModelTimeoutError after its deadline; whatever the provider throws. */
  run(): Promise<{ text: string; usage: ShortUsage }>
}

export interface ShortUsage {
  inputTokens: number
  outputTokens: number
  /** Of these, what the provider did not report. */
  estimatedTokens: number
}

/** One call beside the answer: without thinking, at temperature 0, tried once. */
export function prepareShortCall(
  { model }: ResolvedModel,
  {
    order,
    prompt,
    maxTokens,
    deadlineMs,
  }: { order: string; prompt: string; maxTokens: number; deadlineMs: number },
): ShortCall {
  const promptTokens = estimateTokens(order + prompt)
  return {
    tokens: promptTokens + maxTokens,
    run: async () => {
      const { generateText } = await loadAi()
      const { text, usage } = await within(deadlineMs, (abortSignal) =>
        generateText({
          model,
          instructions: order,
          prompt,
          temperature: 0,
          maxOutputTokens: maxTokens,
          maxRetries: 0,
          reasoning: 'none',
          abortSignal,
        }),
      )
      const spent = new SpentTokens()
      spent.begin(() => promptTokens)
      spent.hear(text)
      spent.end({ ...usage, cachedTokens: undefined })
      const { inputTokens, outputTokens, estimatedTokens } = spent.total()
      return { text, usage: { inputTokens, outputTokens, estimatedTokens } }
    },
  }
}
