import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { isStepCount, type LanguageModel, type ModelMessage, streamText, type Tool } from 'ai'
import { LIMITS } from '../config'
import { estimateTokens } from '../platform/models/tokens'

/** What the model call tells the turn. */
export type GenerateEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool'; id: string; name: string; state: 'running' | 'done' | 'failed' }
  | { type: 'finish'; reason: 'stop' | 'length'; usage: ModelUsage }

export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  cachedTokens: number
}

export interface GenerateInput {
  model: LanguageModel
  instructions: string
  messages: ModelMessage[]
  tools: Record<string, Tool>
  /** Names offered at this step; a skill that was loaded may add some. */
  activeTools(): string[]
  /** Model of the next step once a skill brings its own. */
  stepModel(): LanguageModel | null
  /** Must be called before the first step when a search has to happen. */
  forceTool: string | null
  maxOutputTokens: number
  /** False asks the model not to think at length before it answers. */
  reasoning: boolean
  signal: AbortSignal
  /** Options that only the offline model reads. */
  providerOptions: SharedV4ProviderOptions
  /** Raises the reservation before a further step. @returns false when the ceiling forbids it. */
  reserveStep(promptTokens: number): Promise<boolean>
}

/**
 * The tool loop: at most eight tool steps, each preceded by a reservation. A refused reservation ends the turn as `length`,
 * with what was said so far.
 * @throws what the model's provider throws; the abort reason when `signal` fires.
 */
export async function* generate(input: GenerateInput): AsyncGenerator<GenerateEvent> {
  let quotaEnded = false
  const total: ModelUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }
  const toolNames = Object.keys(input.tools)
  const withTools = toolNames.length > 0
  const result = streamText({
    model: input.model,
    instructions: input.instructions,
    messages: input.messages,
    maxOutputTokens: input.maxOutputTokens,
    reasoning: input.reasoning ? 'provider-default' : 'none',
    abortSignal: input.signal,
    maxRetries: 1,
    providerOptions: input.providerOptions,
    onError: () => {},
    ...(withTools
      ? {
          tools: input.tools,
          stopWhen: [isStepCount(LIMITS.toolSteps + 1), () => quotaEnded],
          prepareStep: async ({ stepNumber, messages }) => {
            if (stepNumber === 0) {
              return {
                activeTools: input.activeTools(),
                ...(input.forceTool
                  ? { toolChoice: { type: 'tool' as const, toolName: input.forceTool } }
                  : {}),
              }
            }
            if (!(await input.reserveStep(promptSize(messages)))) {
              quotaEnded = true
              throw new QuotaEnded()
            }
            const model = input.stepModel()
            return {
              activeTools: stepNumber >= LIMITS.toolSteps ? [] : input.activeTools(),
              toolChoice: 'auto' as const,
              ...(model ? { model } : {}),
            }
          },
        }
      : {}),
  })

  for await (const part of result.stream) {
    switch (part.type) {
      case 'text-delta':
        yield { type: 'text', text: part.text }
        break
      case 'reasoning-delta':
        yield { type: 'reasoning', text: part.text }
        break
      case 'tool-input-start':
        yield { type: 'tool', id: part.id, name: part.toolName, state: 'running' }
        break
      case 'tool-result':
        yield { type: 'tool', id: part.toolCallId, name: part.toolName, state: 'done' }
        break
      case 'tool-error':
        yield { type: 'tool', id: part.toolCallId, name: part.toolName, state: 'failed' }
        break
      case 'finish-step':
        total.inputTokens += part.usage.inputTokens ?? 0
        total.outputTokens += part.usage.outputTokens ?? 0
        total.cachedTokens += part.usage.inputTokenDetails.cacheReadTokens ?? 0
        break
      case 'finish':
        yield {
          type: 'finish',
          reason: part.finishReason === 'length' ? 'length' : 'stop',
          usage: total,
        }
        return
      case 'abort':
        throw input.signal.reason
      case 'error':
        if (quotaEnded) {
          yield { type: 'finish', reason: 'length', usage: total }
          return
        }
        throw part.error
    }
  }
  yield { type: 'finish', reason: quotaEnded ? 'length' : 'stop', usage: total }
}

class QuotaEnded extends Error {}

function promptSize(messages: ModelMessage[]): number {
  return messages.reduce(
    (sum, message) =>
      sum +
      estimateTokens(
        typeof message.content === 'string' ? message.content : JSON.stringify(message.content),
      ),
    0,
  )
}
