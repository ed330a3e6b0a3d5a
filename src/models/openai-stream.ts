import {
  APICallError,
  InvalidResponseDataError,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { isObject, type Json } from '../text/json'
import {
  AnswerParts,
  type ChunkReader,
  firstChoice,
  readParts,
  textOrNull,
  usageOf,
} from './answer-parts'
import { type OpenAiEndpoint, postJson } from './openai-endpoint'
import { streamRequest } from './openai-request'
import { answerOf } from './part-batches'

/**
 * The streamed call of an OpenAI-compatible endpoint.
 * @throws APICallError when the endpoint refuses or cannot be reached.
 */
export async function streamChat(
  endpoint: OpenAiEndpoint,
  model: string,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> {
  const body = streamRequest(model, options)
  const response = await postJson(endpoint, '/chat/completions', body, options)
  if (response.body === null) {
    const message = 'The model endpoint answered without a body'
    throw new APICallError({ message, url: response.url, requestBodyValues: body })
  }
  const isWhole = response.headers.get('content-type')?.includes('application/json')
  const events = isWhole ? asEvents(await response.text()) : response.body
  return answerOf(readParts(events, new OpenAiChunks(), endpoint.baseUrl))
}

/** The answer of an endpoint that does not stream, as the stream it should have been. */
function asEvents(json: string): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const event = `data: ${json.replaceAll(/[\r\n]+/gu, ' ')}\n\ndata: [DONE]\n\n`
  writer.write(new TextEncoder().encode(event)).catch(() => undefined)
  writer.close().catch(() => undefined)
  return readable
}

/** Reads the chunks of one answer for what they have: a chunk that looks odd is no failure. */
class OpenAiChunks implements ChunkReader {
  readonly parts = new AnswerParts()
  /** Tool calls whose name has not come yet, by their index. */
  readonly #unnamed = new Map<number, { id: string | null; input: string }>()
  readonly #named = new Set<number>()
  #finish: string | null = null
  #done = false
  #failed = false
  #refused = false
  #usage: Json | null = null

  get left(): ChunkReader['left'] {
    if (this.#done || this.#failed) return 'nothing'
    return this.#finish === null ? 'much' : 'little'
  }

  read(data: string): void {
    if (data === '[DONE]') this.#done = true
    if (this.#done || this.#failed) return
    try {
      this.#readChunk(JSON.parse(data))
    } catch (error) {
      this.#fail(error)
    }
  }

  end(): void {
    this.parts.close()
    for (const index of this.#unnamed.keys()) this.#fail(invalid(`Tool call ${index} has no name`))
    // Some servers give no reason, and say by the last line that they are done.
    if (this.#finish === null && this.#done) this.#finish = 'stop'
    if (this.#finish === null && !this.#failed)
      this.#fail(invalid('The stream ended without a finish reason'))
    const unified = this.#finish === null ? 'error' : this.#unified()
    this.parts.finish({ unified, raw: this.#finish ?? undefined }, usageOf(this.#usage))
  }

  #readChunk(chunk: unknown): void {
    if (!isObject(chunk)) throw invalid('A chunk is no object')
    const { error, usage, choices } = chunk
    if (error !== undefined && error !== null) this.#fail(error)
    if (isObject(usage)) this.#usage = usage
    const choice = firstChoice(choices)
    if (choice === null) return
    this.#finish = textOrNull(choice.finish_reason) ?? this.#finish
    // A whole message, or a text as of old, where the chunk of a stream should be.
    const delta = choice.delta ?? choice.message
    if (isObject(delta)) this.#readDelta(delta)
    else this.parts.say('text', choice.text)
  }

  #readDelta({ content, reasoning, reasoning_content, refusal, tool_calls }: Json): void {
    this.parts.say('reasoning', reasoning_content ?? reasoning)
    if (Array.isArray(content)) for (const part of content) this.#readPart(part)
    else this.parts.say('text', content)
    if (typeof refusal === 'string' && refusal !== '') {
      this.#refused = true
      this.parts.say('text', refusal)
    }
    if (!Array.isArray(tool_calls) || tool_calls.length === 0) return
    this.parts.close('reasoning')
    for (const call of tool_calls) if (isObject(call)) this.#readCall(call)
  }

  /** Content as a list of typed parts, thoughts among them. */
  #readPart(part: unknown): void {
    if (!isObject(part)) return
    const { type, text, thinking } = part
    if (type === 'text') this.parts.say('text', text)
    if (type !== 'thinking' || !Array.isArray(thinking)) return
    for (const one of thinking)
      if (isObject(one) && one.type === 'text') this.parts.say('reasoning', one.text)
  }

  #readCall(delta: Json): void {
    const called = isObject(delta.function) ? delta.function : {}
    const id = textOrNull(delta.id)
    const name = textOrNull(called.name)
    const input = textOrNull(called.arguments) ?? ''
    const index = typeof delta.index === 'number' ? delta.index : null
    if (index === null || this.#named.has(index)) {
      this.parts.call({ index, id, function: { name, arguments: input } })
      return
    }
    const before = this.#unnamed.get(index)
    const known = { id: before?.id ?? id, input: (before?.input ?? '') + input }
    this.#unnamed.set(index, known)
    if (name === null) return
    this.#unnamed.delete(index)
    this.#named.add(index)
    this.parts.call({ index, id: known.id, function: { name, arguments: known.input } })
  }

  #fail(error: unknown): void {
    if (this.#failed) return
    this.#failed = true
    this.parts.fail(error)
  }

  #unified(): LanguageModelV4FinishReason['unified'] {
    switch (this.#finish) {
      case 'stop':
        return this.#refused ? 'content-filter' : 'stop'
      case 'length':
        return 'length'
      case 'content_filter':
        return 'content-filter'
      case 'function_call':
      case 'tool_calls':
        return 'tool-calls'
      default:
        return 'other'
    }
  }
}

const invalid = (message: string) => new InvalidResponseDataError({ data: undefined, message })
