import type { LanguageModelV4 } from '@ai-sdk/provider'
import { MODEL_DEADLINES } from '../config/limits'
import { type LoneEnds, NO_LONE_ENDS } from './lone-ends'
import { paceStream } from './pace-stream'
import { splitThinking } from './think-tags'

export interface Deadlines {
  firstPartMs: number
  idleMs: number
  totalMs: number
}

/** A model call that took too long. `name` is what `AbortSignal.timeout` uses, so that callers treat both alike. */
export class ModelTimeoutError extends Error {
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
      call.arm(deadlines.totalMs, 'The model did not answer in time')
      try {
        const result = await call.race(model.doGenerate({ ...options, abortSignal: call.signal }))
        return { ...result, content: splitThinking(result.content, loneEnds.before(options)) }
      } finally {
        call.clear()
      }
    },
    async doStream(options) {
      const call = new Deadline(options.abortSignal)
      call.arm(deadlines.totalMs, 'The model did not finish in time')
      const disarm = call.arm(deadlines.firstPartMs, 'The model did not answer in time')
      try {
        const result = await call.race(model.doStream({ ...options, abortSignal: call.signal }))
        let lastPartAt: number | null = null
        const onPart = () => {
          if (lastPartAt === null) {
            disarm()
            call.watch(() => (lastPartAt ?? 0) + deadlines.idleMs)
          }
          lastPartAt = Date.now()
        }
        const stream = paceStream(result.stream, {
          signal: call.signal,
          onPart,
          onEnd: () => call.clear(),
          loneEnd: loneEnds.before(options),
          onLoneEnd: (met) => loneEnds.after(options, met),
        })
        return { ...result, stream }
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
  call.arm(ms, 'The model did not answer in time')
  try {
    return await call.race(run(call.signal))
  } finally {
    call.clear()
  }
}

type Timer = ReturnType<typeof setTimeout>

/** An abort signal that follows a caller's, and timers that fire it. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal | undefined
  readonly #follow: () => void
  readonly #timers = new Set<Timer>()

  constructor(parent: AbortSignal | undefined) {
    this.#parent = parent
    this.#follow = () => this.#controller.abort(parent?.reason)
    if (parent?.aborted) this.#follow()
    else parent?.addEventListener('abort', this.#follow, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** @returns what takes this timer back. */
  arm(ms: number, message: string): () => void {
    const timer = setTimeout(() => this.#controller.abort(new ModelTimeoutError(message)), ms)
    this.#timers.add(timer)
    return () => {
      clearTimeout(timer)
      this.#timers.delete(timer)
    }
  }

  /** Fires once `dueAt` has come; looks only when it may have, because a timer for every part of a stream is dear. */
  watch(dueAt: () => number): void {
    const rest = dueAt() - Date.now()
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        if (dueAt() > Date.now()) this.watch(dueAt)
        else
          this.#controller.abort(
            new ModelTimeoutError('The model stopped in the middle of its answer'),
          )
      },
      Math.max(rest, 1),
    )
    this.#timers.add(timer)
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
    this.#parent?.removeEventListener('abort', this.#follow)
  }

  /** Settles with the promise, or rejects with the signal's reason: not every provider obeys its signal. */
  race<T>(promise: PromiseLike<T>): Promise<T> {
    const { signal } = this
    return new Promise<T>((resolve, reject) => {
      const abort = () => reject(signal.reason)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
      promise.then(
        (value) => {
          signal.removeEventListener('abort', abort)
          resolve(value)
        },
        (error: unknown) => {
          signal.removeEventListener('abort', abort)
          reject(error)
        },
      )
    })
  }
}
