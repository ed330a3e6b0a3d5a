import { asSchema, type ModelMessage, type Tool } from 'ai'
import { LIMITS } from '../config/limits'
import { loadAi } from '../lazy'
import type { ResolvedModel } from '../models/chat-model'
import { ModelCallError } from '../models/model-failure'
import { isRetraction } from '../models/think-tags'
import { estimateTokens, IMAGE_TOKENS } from '../models/tokens'
import { factsOption, type TurnFacts } from '../models/turn-facts'
import type { SpentTokens } from './spent-tokens'

/** What the model call tells the turn. */
export type GenerateEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** The last characters of the text were thought, not said. */
  | { type: 'retract'; chars: number }
  | { type: 'tool'; id: string; name: string; state: 'running' | 'done' | 'failed' }
  /** `ran`: what was called and what came of it, to go on from. */
  | { type: 'finish'; reason: 'stop' | 'length' | 'quota'; ran: ModelMessage[] }

export interface GenerateInput {
  model: ResolvedModel
  instructions: string
  messages: ModelMessage[]
  tools: Record<string, Tool>
  /** Names offered at this step; a skill that was loaded may add some. */
  activeTools(): string[]
  /** Model of the next step once a skill brings its own. */
  stepModel(): ResolvedModel | null
  /** Must be called before the first step when a search has to happen. */
  forceTool: string | null
  maxOutputTokens: number
  /** False asks the model not to think at length before it answers. */
  reasoning: boolean
  signal: AbortSignal
  /** Learns what each call used. */
  spent: SpentTokens
  /** For a model that reads them beside the prompt. */
  facts(): TurnFacts
  /** Raises the reservation before a further step. @returns false when the ceiling forbids it. */
  reserveStep(promptTokens: number): Promise<boolean>
}

/**
 * The tool loop: at most eight tool steps, each preceded by a reservation. A refused reservation ends it as `quota`, with
 * what was said so far.
 * @throws ModelCallError for what the model's provider throws; the abort reason when `signal` fires.
 */
export async function* generate(input: GenerateInput): AsyncGenerator<GenerateEvent> {
  const { isStepCount, streamText } = await loadAi()
  let quotaEnded = false
  const toolNames = Object.keys(input.tools)
  const withTools = toolNames.length > 0
  const { spent } = input
  spent.begin(() => promptTokens(input, input.messages))
  const result = streamText({
    model: input.model.model,
    instructions: input.instructions,
    messages: input.messages,
    maxOutputTokens: input.maxOutputTokens,
    reasoning: input.reasoning ? 'provider-default' : 'none',
    abortSignal: input.signal,
    maxRetries: 1,
    providerOptions: optionsFor(input, input.model),
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
            if (!(await input.reserveStep(sizeOf(messages)))) {
              quotaEnded = true
              throw new QuotaEnded()
            }
            spent.begin(() => promptTokens(input, messages))
            const skilled = input.stepModel()
            return {
              activeTools: stepNumber >= LIMITS.toolSteps ? [] : input.activeTools(),
              toolChoice: 'auto' as const,
              ...(skilled
                ? { model: skilled.model, providerOptions: optionsFor(input, skilled) }
                : {}),
              ...(skilled?.info.vision === false ? { messages: withoutImages(messages) } : {}),
            }
          },
        }
      : {}),
  })

  /** Of the block of text that is going on. */
  let chars = 0
  for await (const part of result.stream) {
    switch (part.type) {
      case 'text-start':
        chars = 0
        break
      case 'reasoning-start':
        if (!isRetraction(part)) break
        yield { type: 'retract', chars }
        chars = 0
        break
      case 'text-delta':
        chars += part.text.length
        spent.hear(part.text)
        yield { type: 'text', text: part.text }
        break
      case 'reasoning-delta':
        spent.hear(part.text)
        yield { type: 'reasoning', text: part.text }
        break
      case 'tool-input-start':
        yield { type: 'tool', id: part.id, name: part.toolName, state: 'running' }
        break
      case 'tool-input-delta':
        spent.hear(part.delta)
        break
      case 'tool-result':
        yield { type: 'tool', id: part.toolCallId, name: part.toolName, state: 'done' }
        break
      case 'tool-error':
        yield { type: 'tool', id: part.toolCallId, name: part.toolName, state: 'failed' }
        break
      case 'finish-step':
        spent.end({
          inputTokens: part.usage.inputTokens,
          outputTokens: part.usage.outputTokens,
          cachedTokens: part.usage.inputTokenDetails.cacheReadTokens,
        })
        break
      case 'finish':
        yield {
          type: 'finish',
          reason: CUT_SHORT.has(part.finishReason) ? 'length' : 'stop',
          ran: toolMessages(await result.responseMessages),
        }
        return
      case 'abort':
        throw input.signal.reason
      case 'error':
        if (quotaEnded) {
          yield { type: 'finish', reason: 'quota', ran: [] }
          return
        }
        throw new ModelCallError(part.error)
    }
  }
  yield { type: 'finish', reason: quotaEnded ? 'quota' : 'stop', ran: [] }
}

/** Copying the facts for a model that does not read them is waste. */
const optionsFor = ({ facts }: GenerateInput, { info }: ResolvedModel) =>
  info.reads === 'facts' ? factsOption(facts()) : {}

class QuotaEnded extends Error {}

/** The answer ends before its end: at its limit, at a filter, or in a loop that still wanted tools. */
const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'content-filter', 'tool-calls'])

/** Without what was only said or thought. */
function toolMessages(messages: ModelMessage[]): ModelMessage[] {
  return messages.filter(
    ({ role, content }) =>
      role === 'tool' ||
      (typeof content !== 'string' && content.some((part) => part.type === 'tool-call')),
  )
}

/** For a skill's model that sees none. */
function withoutImages(messages: ModelMessage[]): ModelMessage[] {
  return messages.map((message) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? { ...message, content: message.content.filter((part) => part.type !== 'file') }
      : message,
  )
}

function promptTokens(input: GenerateInput, messages: ModelMessage[]): number {
  const names = new Set(input.activeTools())
  const tools = Object.entries(input.tools).filter(([name]) => names.has(name))
  const defined = tools.map(([name, { description, inputSchema }]) =>
    JSON.stringify([name, description, asSchema(inputSchema).jsonSchema]),
  )
  return estimateTokens(input.instructions + defined.join('')) + sizeOf(messages)
}

/** Estimated tokens of messages. */
export function sizeOf(messages: ModelMessage[]): number {
  return messages.reduce((sum, { content }) => {
    if (typeof content === 'string') return sum + estimateTokens(content)
    return content.reduce((size, part) => {
      if (part.type === 'file') return size + IMAGE_TOKENS
      return size + estimateTokens('text' in part ? part.text : JSON.stringify(part))
    }, sum)
  }, 0)
}
