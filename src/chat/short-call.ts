import type { ResolvedModel } from '../models/chat-model'
import { within } from '../models/deadlines'
import { estimateTokens } from '../models/tokens'
import { toPrompt } from './model-prompt'
import { SpentTokens } from './spent-tokens'

/** A call for a few words, ready to be reserved and made. */
export interface ShortCall {
  /** What the call may use at most. */
  tokens: number
  /** @throws ModelTimeoutError after its deadline; whatever the provider throws. */
  run(): Promise<{ text: string; usage: ShortUsage }>
}

/** One whose words are read: null, or nothing, where they are not what was asked for. */
export interface ReadCall<T> {
  tokens: number
  run(): Promise<{ value: T; usage: ShortUsage }>
}

export const readCall = <T>(
  { tokens, run }: ShortCall,
  read: (text: string) => T,
): ReadCall<T> => ({
  tokens,
  run: async () => {
    const { text, usage } = await run()
    return { value: read(text), usage }
  },
})

export interface ShortUsage {
  inputTokens: number
  outputTokens: number
  /** Of these, what the provider did not report. */
  estimatedTokens: number
}

/** One call beside the answer: without thinking, at temperature 0, tried once. The SDK's loop around it would cost more than the call. */
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
      const { content, usage } = await within(deadlineMs, (abortSignal) =>
        model.doGenerate({
          prompt: toPrompt(order, [{ role: 'user', content: prompt }]),
          temperature: 0,
          maxOutputTokens: maxTokens,
          reasoning: 'none',
          abortSignal,
        }),
      )
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const spent = new SpentTokens()
      spent.begin(() => promptTokens)
      spent.hear(text)
      spent.end({
        inputTokens: usage.inputTokens.total,
        outputTokens: usage.outputTokens.total,
        cachedTokens: undefined,
      })
      const { inputTokens, outputTokens, estimatedTokens } = spent.total()
      return { text, usage: { inputTokens, outputTokens, estimatedTokens } }
    },
  }
}
