import type { LanguageModelV4 } from '@ai-sdk/provider'
import { MODEL_DEADLINES, SECOND_MS } from '../config/limits'
import { type LoneEnds, NO_LONE_ENDS } from './lone-ends'
import { paceStream } from './pace-stream'
import { answerOf, batchesOf } from './part-batches'
import { splitThinking } from './think-tags'

export interface Deadlines {
  firstPartMs: number
  idleMs: number
  totalMs: number
}

/** A model call that took too long. `name` is what `AbortSignal.timeout` uses, so that callers treat both alike. */
class ModelTimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * The same model with deadlines: for the first part of a stream, between parts, and for the whole call. A missed one
 * aborts the request and rejects (or ends the stream) with `ModelTimeoutError`. Streamed text is paced, and thinking told
 * from it.
 */
export function withDeadlines(
  model: LanguageModelV4,
  deadlines: Deadlines = MODEL_DEADLINES,
  loneEnds: LoneEnds = NO_LONE_ENDS,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const call = new Deadline(options.abortSignal)
      call.expect(deadlines.totalMs, 'The model did not answer in time')
      try {
        const result = await call.race(model.doGenerate({ ...options, abortSignal: call.signal }))
        return { ...result, content: splitThinking(result.content, loneEnds.before(options)) }
      } finally {
        call.clear()
      }
    },
    async doStream(options) {
      const call = new Deadline(options.abortSignal)
      const over = {
        at: Date.now() + deadlines.totalMs,
        message: 'The model did not finish in time',
      }
      call.expect(deadlines.firstPartMs, 'The model did not answer in time', over)
      try {
        const result = await call.race(model.doStream({ ...options, abortSignal: call.signal }))
        const paced = paceStream(batchesOf(result), {
          signal: call.signal,
          onPart: () =>
            call.expect(deadlines.idleMs, 'The model stopped in the middle of its answer', over),
          onEnd: () => call.clear(),
          loneEnd: loneEnds.before(options),
          onLoneEnd: (met) => loneEnds.after(options, met),
        })
        return answerOf(paced)
      } catch (error) {
        call.clear()
        throw error
      }
    },
  }
}

/**
 * A call with one deadline. Unlike `AbortSignal.timeout` it leaves no timer behind, which would keep a Durable Object awake.
 * @throws ModelTimeoutError once the time is up.
 */
export async function within<T>(
  ms: number,
  run: (signal: AbortSignal) => PromiseLike<T>,
): Promise<T> {
  const call = new Deadline(undefined)
  call.expect(ms, 'The model did not answer in time')
  try {
    return await call.race(run(call.signal))
  } finally {
    call.clear()
  }
}

/** A timer this far ahead stays as it is when something else is waited for. */
const LOOK_MS = 30 * SECOND_MS

/** What is waited for until then, and what is said of one who lets that pass. */
interface Due {
  at: number
  message: string
}

/**
 * An abort signal that follows a caller's, and fires when what is expected does not come. One timer, which looks only when
 * something may be due: one for every part of a stream is dear.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal | undefined
  readonly #follow: () => void
  /** Ends what is raced with. */
  #fail: (reason: unknown) => void = () => {}
  #over = false
  #due: Due = { at: Number.POSITIVE_INFINITY, message: '' }
  #timer: { at: number; id: ReturnType<typeof setTimeout> } | null = null

  constructor(parent: AbortSignal | undefined) {
    this.#parent = parent
    this.#follow = () => this.#abort(parent?.reason)
    if (parent?.aborted) this.#follow()
    else parent?.addEventListener('abort', this.#follow, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** From now on this is waited for, and no longer what was before. @param latest when all must be over */
  expect(ms: number, message: string, latest?: Due): void {
    const at = Date.now() + ms
    this.#due = latest && latest.at < at ? latest : { at, message }
    if (this.#over) return
    if (this.#timer !== null && this.#timer.at > this.#due.at) this.#stop()
    this.#watch()
  }

  #watch(): void {
    if (this.#timer !== null) return
    const at = Math.min(this.#due.at, Date.now() + LOOK_MS)
    const id = setTimeout(
      () => {
        this.#timer = null
        if (this.#due.at > Date.now()) this.#watch()
        else this.#abort(new ModelTimeoutError(this.#due.message))
      },
      Math.max(at - Date.now(), 1),
    )
    this.#timer = { at, id }
  }

  #abort(reason: unknown): void {
    this.#over = true
    this.#controller.abort(reason)
    this.#fail(reason)
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer.id)
    this.#timer = null
  }

  clear(): void {
    this.#over = true
    this.#stop()
    this.#parent?.removeEventListener('abort', this.#follow)
  }

  /** Settles with the call's promise, or rejects with the signal's reason: not every provider obeys its signal. */
  race<T>(promise: PromiseLike<T>): Promise<T> {
    const { signal } = this
    return new Promise<T>((resolve, reject) => {
      this.#fail = reject
      if (signal.aborted) reject(signal.reason)
      promise.then(resolve, reject)
    })
  }
}
