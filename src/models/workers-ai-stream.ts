import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { loadAi } from '../lazy'
import { isObject, type Json, parseJson } from '../text/json'
import {
  AnswerParts,
  type ChunkReader,
  firstChoice,
  readParts,
  textOrNull,
  usageOf,
} from './answer-parts'
import { answerOf } from './part-batches'

/**
 * The streamed call of a Workers AI model: the provider writes the request, its stream is read here. An answer that comes
 * whole, and one that a tool was forced for (which some models write into their text), are the provider's to read.
 */
export async function streamWorkersAi(
  ai: Ai,
  model: string,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> {
  const forced = options.toolChoice?.type === 'tool' || options.toolChoice?.type === 'required'
  if (forced) return (await workersAiChat(ai, model)).doStream(options)
  let body: ReadableStream<Uint8Array> | null = null
  const run = ai.run.bind(ai) as (...args: unknown[]) => Promise<unknown>
  const binding = {
    run: async (...args: unknown[]) => {
      const answer = await run(...args)
      if (!(answer instanceof ReadableStream)) return answer
      body = answer
      return new ReadableStream({ start: (controller) => controller.close() })
    },
  } as unknown as Ai
  const result = await (await workersAiChat(binding, model)).doStream(options)
  return body === null ? result : answerOf(readParts(body, new WorkersAiChunks(), 'Workers AI'))
}

/** The provider's own model, for what is not read here. */
export async function workersAiChat(binding: Ai, model: string): Promise<LanguageModelV4> {
  const { createWorkersAI } = await loadAi()
  return createWorkersAI({ binding }).chat(model)
}

/** Both forms of the binding's chunks: its own (`response`) and the OpenAI protocol's (`choices`). */
class WorkersAiChunks implements ChunkReader {
  readonly parts = new AnswerParts()
  #finish: string | null = null
  #done = false
  #heard = false
  #usage: Json = { prompt_tokens: 0, completion_tokens: 0 }
  /** Of the call that goes on. */
  #index = 0

  get left(): ChunkReader['left'] {
    if (this.#done) return 'nothing'
    return this.#finish === null ? 'much' : 'little'
  }

  read(data: string): void {
    if (data === '[DONE]') {
      this.#done = true
      return
    }
    this.#heard = true
    const chunk = parseJson(data)
    if (!isObject(chunk)) return
    if (isObject(chunk.usage)) this.#usage = chunk.usage
    const { finish_reason, delta } = firstChoice(chunk.choices) ?? {}
    this.#finish = textOrNull(finish_reason) ?? textOrNull(chunk.finish_reason) ?? this.#finish
    // Some models give a number where the text is one.
    if (chunk.response !== undefined && chunk.response !== null)
      this.parts.say('text', String(chunk.response))
    this.#readCalls(chunk.tool_calls)
    if (!isObject(delta)) return
    this.parts.say('reasoning', delta.reasoning_content ?? delta.reasoning)
    this.parts.say('text', delta.content)
    this.#readCalls(delta.tool_calls)
  }

  end(): void {
    const cutOff = this.#heard && !this.#done && this.#finish === null
    const finishReason: LanguageModelV4FinishReason = cutOff
      ? { unified: 'error', raw: 'stream-truncated' }
      : { unified: unify(this.#finish), raw: this.#finish ?? 'stop' }
    this.parts.finish(finishReason, usageOf(this.#usage))
  }

  #readCalls(calls: unknown): void {
    if (!Array.isArray(calls)) return
    this.parts.close('reasoning')
    for (const call of calls) if (isObject(call)) this.#readCall(call)
  }

  /** A call of nothing says that the one before it is whole. */
  #readCall(call: Json): void {
    const called = isObject(call.function) ? call.function : call
    const name = textOrNull(called.name) ?? ''
    const given = called.arguments ?? null
    const input = given === null || typeof given === 'string' ? given : JSON.stringify(given)
    const id = textOrNull(call.id)
    if (!id && name === '' && !input) return
    if (typeof call.index === 'number') this.#index = call.index
    else if (name !== '') this.#index += 1
    this.parts.call({ index: this.#index, id, function: { name: name || null, arguments: input } })
  }
}

function unify(finish: string | null): LanguageModelV4FinishReason['unified'] {
  switch (finish) {
    case 'length':
    case 'model_length':
      return 'length'
    case 'tool_calls':
      return 'tool-calls'
    case 'error':
      return 'error'
    case 'other':
    case 'unknown':
      return 'other'
    default:
      return 'stop'
  }
}
