import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MODEL_DEADLINES } from '../../config'

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
 * aborts the request and rejects (or ends the stream) with `ModelTimeoutError`.
 */
export function withDeadlines(
  model: LanguageModelV4,
  deadlines: Deadlines = MODEL_DEADLINES,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const timer = new Deadline(options.abortSignal)
      timer.arm(deadlines.totalMs, 'The model did not answer in time')
      try {
        return await timer.race(model.doGenerate({ ...options, abortSignal: timer.signal }))
      } finally {
        timer.clear()
      }
    },
    async doStream(options) {
      const timer = new Deadline(options.abortSignal)
      const total = new Deadline(timer.signal)
      total.arm(deadlines.totalMs, 'The model did not finish in time')
      timer.arm(deadlines.firstPartMs, 'The model did not answer in time')
      try {
        const result = await timer.race(model.doStream({ ...options, abortSignal: total.signal }))
        return { ...result, stream: watch(result.stream, timer, total, deadlines.idleMs) }
      } catch (error) {
        timer.clear()
        total.clear()
        throw error
      }
    },
  }
}

/** An abort signal that follows a caller's and a timer that can be set anew. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal | undefined
  readonly #follow: () => void
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parent: AbortSignal | undefined) {
    this.#parent = parent
    this.#follow = () => this.#controller.abort(parent?.reason)
    if (parent?.aborted) this.#follow()
    else parent?.addEventListener('abort', this.#follow, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  arm(ms: number, message: string): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(new ModelTimeoutError(message)), ms)
  }

  clear(): void {
    clearTimeout(this.#timer)
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

function watch(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  timer: Deadline,
  total: Deadline,
  idleMs: number,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = stream.getReader()
  const stop = () => {
    timer.clear()
    total.clear()
  }
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await total.race(reader.read())
        if (done) {
          stop()
          controller.close()
          return
        }
        timer.arm(idleMs, 'The model stopped in the middle of its answer')
        controller.enqueue(value)
      } catch (error) {
        stop()
        reader.cancel(error).catch(() => undefined)
        controller.error(error)
      }
    },
    cancel(reason) {
      stop()
      return reader.cancel(reason)
    },
  })
}
