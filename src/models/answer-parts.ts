import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { StreamingToolCallDelta, StreamingToolCallTracker } from '@ai-sdk/provider-utils'
import { createParser } from 'eventsource-parser'
import { SECOND_MS } from '../config/limits'
import { loadAi } from '../lazy'
import { isObject, type Json } from '../text/json'
import { SENTENCE_ENDS } from '../text/sentences'
import { type GatheredReads, gatherReads, type Read } from './gathered-reads'
import type { PartBatches } from './part-batches'

type Part = LanguageModelV4StreamPart
type Block = 'text' | 'reasoning'

/** Reads what a model's stream sends, event by event. */
export interface ChunkReader {
  readonly parts: AnswerParts
  read(data: string): void
  /** What is still to come: `nothing` once the protocol has said that it is done, `little` once it gave the reason. */
  readonly left: 'much' | 'little' | 'nothing'
  /** The stream has ended. */
  end(): void
}

/** Some servers leave the connection open behind the answer: what has said its reason is waited for no longer than this. */
const LITTLE_MS = 5 * SECOND_MS

/** The SDK's book-keeping of a model's calls of tools, which knows how endpoints number and name them; late, as few answers call any. */
let CallTracker: typeof StreamingToolCallTracker | null = null
/** What an event that calls a tool holds; its letters may be written as escapes. */
const MAY_CALL = /tool_calls|\\u00/

/** A sentence or a line may have ended: more than ends are no harm. */
const MAY_END = new RegExp(`[${SENTENCE_ENDS}\\n]`, 'u')

/** The parts of one answer as they come together. What one read of the network says of a block is one part. */
export class AnswerParts {
  #parts: Part[] = [{ type: 'stream-start', warnings: [] }]
  #block: Block | null = null
  /** The part that the block's next words join. */
  #said: { delta: string } | null = null
  #calls: StreamingToolCallTracker | null = null
  #firstSentence: 'not begun' | 'open' | 'may have ended' | 'known' = 'not begun'

  /** The first sentence is under way: somebody waits for every word, and for the one that tells that it has ended. */
  get isAwaited(): boolean {
    return this.#firstSentence === 'open' || this.#firstSentence === 'may have ended'
  }

  /** What came since the last time. */
  take(): Part[] {
    const parts = this.#parts
    this.#parts = []
    this.#said = null
    return parts
  }

  say(block: Block, delta: unknown): void {
    if (typeof delta !== 'string' || delta === '') return
    if (block === 'text' && this.#firstSentence !== 'known') this.#listen(delta)
    if (this.#block !== block) {
      this.close()
      this.#block = block
      this.#push({ type: `${block}-start`, id: block })
    }
    if (this.#said) this.#said.delta += delta
    else {
      const part = { type: `${block}-delta` as const, id: block, delta }
      this.#push(part)
      this.#said = part
    }
  }

  close(block = this.#block): void {
    if (block === null || block !== this.#block) return
    this.#push({ type: `${block}-end`, id: block })
    this.#block = null
  }

  /** A piece of a tool call. */
  call(delta: StreamingToolCallDelta): void {
    if (CallTracker === null) throw new Error('No event told that tools are called')
    this.#calls ??= new CallTracker({ enqueue: (part) => part && this.#push(part) })
    this.#calls.processDelta(delta)
  }

  fail(error: unknown): void {
    this.#push({ type: 'error', error })
  }

  finish(finishReason: LanguageModelV4FinishReason, usage: LanguageModelV4Usage): void {
    this.close()
    this.#calls?.flush()
    this.#push({ type: 'finish', finishReason, usage })
  }

  #listen(delta: string): void {
    if (this.#firstSentence === 'may have ended') this.#firstSentence = 'known'
    else this.#firstSentence = MAY_END.test(delta) ? 'may have ended' : 'open'
  }

  #push(part: Part): void {
    this.#said = null
    this.#parts.push(part)
  }
}

/**
 * The parts of an event stream: no schema and no stream of its own between the network and the one who reads them.
 * @param server who sends it, by any name that is one server's
 */
export function readParts(
  body: ReadableStream<Uint8Array>,
  chunks: ChunkReader,
  server: string,
): PartBatches {
  const reads = gatherReads(body, server)
  const decoder = new TextDecoder()
  const events: string[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '') events.push(data)
    },
  })
  let isOver = false
  return {
    async next() {
      // Comments and half events make no part.
      while (!isOver) {
        const { done, value } = await (chunks.left === 'little'
          ? readSoon(reads)
          : reads.read(!chunks.parts.isAwaited))
        parser.feed(done ? decoder.decode() : decoder.decode(value, { stream: true }))
        // The last event may lack its blank line.
        if (done) parser.feed('\n\n')
        for (const data of events.splice(0)) {
          if (CallTracker === null && MAY_CALL.test(data))
            CallTracker = (await loadAi()).StreamingToolCallTracker
          chunks.read(data)
        }
        isOver = done || chunks.left === 'nothing'
        if (isOver) {
          if (chunks.left !== 'much') reads.leave(done)
          else if (!done) reads.cancel().catch(() => undefined)
          chunks.end()
        }
        const parts = chunks.parts.take()
        if (parts.length > 0) return parts
      }
      return null
    },
    cancel: (reason) => reads.cancel(reason),
  }
}

/** What comes within a while, else the end. */
async function readSoon(reads: GatheredReads): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<Read>((resolve) => {
    timer = setTimeout(() => {
      reads.cancel().catch(() => undefined)
      resolve({ done: true })
    }, LITTLE_MS)
  })
  try {
    return await Promise.race([reads.read(), end])
  } finally {
    clearTimeout(timer)
  }
}

/** Of what an endpoint offers the answer itself: more than one is never asked for. */
export function firstChoice(choices: unknown): Json | null {
  if (!Array.isArray(choices)) return null
  return choices.find((choice) => isObject(choice) && (choice.index ?? 0) === 0) ?? null
}

export const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' ? value : null

/** Token counts in the form that both protocols share. */
export function usageOf(usage: Json | null): LanguageModelV4Usage {
  const count = (value: unknown) => (typeof value === 'number' ? value : undefined)
  const details = (name: string) => {
    const found = usage?.[name]
    return isObject(found) ? found : {}
  }
  const input = count(usage?.prompt_tokens)
  const output = count(usage?.completion_tokens)
  const cacheRead = count(details('prompt_tokens_details').cached_tokens)
  const reasoning = count(details('completion_tokens_details').reasoning_tokens)
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (cacheRead ?? 0),
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : output - (reasoning ?? 0),
      reasoning,
    },
  }
}
