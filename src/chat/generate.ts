import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamResult,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { ModelMessage, Tool } from '@ai-sdk/provider-utils'
import { EGRESS, LIMITS, SECOND_MS } from '../config/limits'
import type { ResolvedModel } from '../models/chat-model'
import { ModelCallError } from '../models/model-failure'
import { partsOf } from '../models/part-batches'
import { hasPictures, mayRefusePictures } from '../models/refused-pictures'
import { isRetraction } from '../models/think-tags'
import { estimateTokens, IMAGE_TOKENS } from '../models/tokens'
import { factsOption, type TurnFacts } from '../models/turn-facts'
import { createGate } from '../platform/gate'
import { callTool, defineTools, schemaOf, type ToolAnswer, toolMessages } from './call-tools'
import { toPrompt } from './model-prompt'
import type { SpentTokens } from './spent-tokens'

/** How long is waited before a failed call is tried again. */
const RETRY = { ms: 2 * SECOND_MS, longestMs: 10 * SECOND_MS } as const

/** An endpoint that does not keep to its limit is cut off here; no text has so few tokens that it meets this first. */
const MOST_CHARS_PER_TOKEN = 12

/** What the model call tells the turn. */
export type GenerateEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  /** The last characters of the text were thought, not said. */
  | { type: 'retract'; chars: number }
  | { type: 'tool'; id: string; name: string; state: 'running' | 'done' | 'failed' }
  /** The model takes no pictures: whoever goes on listening has it asked the words alone. */
  | { type: 'unseen' }
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
  /** For a model that answers alike to the same one. */
  seed: number | null
  signal: AbortSignal
  /** Learns what each call used. */
  spent: SpentTokens
  /** Whether a tool has asked the user something: the model has said its part. */
  hasAsked(): boolean
  /** Whether the answer has come to its end, whatever the model goes on to write. */
  isOver(): boolean
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
  let { messages } = input
  const ran: ModelMessage[] = []
  const mostSteps = Object.keys(input.tools).length === 0 ? 0 : LIMITS.toolSteps
  for (let step = 0; ; step++) {
    if (step > 0 && !(await input.reserveStep(sizeOf(messages)))) {
      yield { type: 'finish', reason: 'quota', ran: [] }
      return
    }
    const { said, answers, reason, unseen } = yield* runStep(input, messages, step)
    if (unseen) {
      // Whoever asks once more asks so, too.
      input.messages = withoutImages(input.messages)
      messages = withoutImages(messages)
    }
    if (answers.length > 0) {
      const told = toolMessages(said, answers)
      ran.push(...told)
      messages = [...messages, ...told]
    }
    if (input.hasAsked() || input.isOver()) {
      yield { type: 'finish', reason: 'stop', ran }
      return
    }
    if (answers.length === 0 || step >= mostSteps) {
      // It ended before its end: at its limit, at a filter, or in a loop that still wanted tools.
      const cut = answers.length > 0 || reason === 'length' || reason === 'content-filter'
      yield { type: 'finish', reason: cut ? 'length' : 'stop', ran }
      return
    }
  }
}

interface StepEnd {
  said: { text: string; reasoning: string }
  answers: ToolAnswer[]
  reason: LanguageModelV4FinishReason['unified']
  unseen: boolean
}

/** One call of the model, and of the tools that it asks for; they run while it goes on. */
async function* runStep(
  input: GenerateInput,
  messages: ModelMessage[],
  step: number,
): AsyncGenerator<GenerateEvent, StepEnd> {
  const { spent, signal, tools } = input
  const model = (step > 0 ? input.stepModel() : null) ?? input.model
  const offered = step < LIMITS.toolSteps ? input.activeTools() : []
  spent.begin(() => promptTokens(input, messages))
  const said = { text: '', reasoning: '' }
  const calls: Promise<ToolAnswer>[] = []
  const gate = createGate(EGRESS.atOnce)
  let announced = 0
  /** Of the block of text that is going on. */
  let chars = 0
  let reason: StepEnd['reason'] = 'other'
  const mostChars = input.maxOutputTokens * MOST_CHARS_PER_TOKEN
  let usage: LanguageModelV4Usage | null = null
  let unseen = false
  try {
    const options = await optionsOf(input, model, messages, offered, step)
    const seen = await startSeen(model.model, options)
    unseen = seen === null
    if (unseen) yield { type: 'unseen' }
    const answer = seen ?? (await startStream(model.model, withoutPictures(options)))
    for await (const part of partsOf(answer, () => spent.noteEnd())) {
      if (input.isOver()) break
      if (said.text.length >= mostChars) {
        reason = 'length'
        break
      }
      switch (part.type) {
        case 'text-start':
          chars = 0
          break
        case 'reasoning-start':
          if (!isRetraction(part)) break
          said.text = said.text.slice(0, said.text.length - chars)
          yield { type: 'retract', chars }
          chars = 0
          break
        case 'text-delta': {
          const text = part.delta.slice(0, mostChars - said.text.length)
          chars += text.length
          spent.hear(text)
          said.text += text
          yield { type: 'text', text }
          break
        }
        case 'reasoning-delta':
          spent.hear(part.delta)
          said.reasoning += part.delta
          yield { type: 'reasoning', text: part.delta }
          break
        case 'tool-input-start':
          if (++announced > LIMITS.toolCalls) break
          yield { type: 'tool', id: part.id, name: part.toolName, state: 'running' }
          break
        case 'tool-input-delta':
          spent.hear(part.delta)
          break
        case 'tool-call': {
          if (calls.length >= LIMITS.toolCalls) break
          const call = { id: part.toolCallId, name: part.toolName, input: part.input }
          const answer = gate
            .enter()
            .then((leave) => callTool(tools, offered, call, signal).finally(leave))
          // Awaited below; until then its failure, which is an abort, is nobody's.
          answer.catch(() => undefined)
          calls.push(answer)
          break
        }
        case 'finish':
          reason = endOf(part.finishReason)
          usage = part.usage
          break
        case 'error':
          throw part.error
      }
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new ModelCallError(error)
  }
  spent.end({
    inputTokens: usage?.inputTokens.total,
    outputTokens: usage?.outputTokens.total,
    cachedTokens: usage?.inputTokens.cacheRead,
  })
  const answers: ToolAnswer[] = []
  for (const call of calls) {
    const answer = await call
    answers.push(answer)
    const state = answer.ok ? 'done' : 'failed'
    yield { type: 'tool', id: answer.id, name: answer.name, state }
  }
  return { said, answers, reason, unseen }
}

/** A refusal is a whole answer, though it is reported as filtered. */
const endOf = ({ unified, raw }: LanguageModelV4FinishReason): StepEnd['reason'] =>
  unified === 'content-filter' && raw === 'stop' ? 'stop' : unified

async function optionsOf(
  input: GenerateInput,
  { info }: ResolvedModel,
  messages: ModelMessage[],
  offered: readonly string[],
  step: number,
): Promise<LanguageModelV4CallOptions> {
  const tools = await defineTools(input.tools, offered)
  const forced = step === 0 ? input.forceTool : null
  return {
    prompt: toPrompt(
      input.instructions,
      step > 0 && !info.vision ? withoutImages(messages) : messages,
    ),
    maxOutputTokens: input.maxOutputTokens,
    reasoning: input.reasoning ? 'provider-default' : 'none',
    ...(input.seed === null ? {} : { seed: input.seed }),
    abortSignal: input.signal,
    // Copying the facts for a model that does not read them is waste.
    providerOptions: info.reads === 'facts' ? factsOption(input.facts()) : {},
    ...(tools.length === 0
      ? {}
      : { tools, toolChoice: forced ? { type: 'tool', toolName: forced } : { type: 'auto' } }),
  }
}

/** Null where the model refuses the pictures, or what else it may be of a request that has some. */
async function startSeen(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult | null> {
  try {
    return await startStream(model, options)
  } catch (error) {
    if (hasPictures(options) && mayRefusePictures(error)) return null
    throw error
  }
}

const withoutPictures = ({ prompt, ...rest }: LanguageModelV4CallOptions) => ({
  ...rest,
  prompt: prompt.map((message) =>
    message.role === 'user'
      ? { ...message, content: message.content.filter(({ type }) => type !== 'file') }
      : message,
  ),
})

/** Before the first part a failure that may pass is tried once more. */
async function startStream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> {
  try {
    return await model.doStream(options)
  } catch (error) {
    if (!APICallError.isInstance(error) || !error.isRetryable) throw error
    await sleep(retryDelay(error.responseHeaders ?? {}), options.abortSignal)
    return model.doStream(options)
  }
}

/** What the endpoint asks for, where that is bearable. */
function retryDelay(headers: Record<string, string>): number {
  const asked = Number(headers['retry-after-ms'] ?? Number(headers['retry-after']) * SECOND_MS)
  return asked >= 0 && asked <= RETRY.longestMs ? asked : RETRY.ms
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
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
    JSON.stringify([name, description, schemaOf(inputSchema).jsonSchema]),
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
