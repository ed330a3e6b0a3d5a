export type EgressCode =
  | 'url_not_allowed'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'

/** A refused or failed outbound request. The texts are fixed: a peer's answer and the reason of a refusal stay inside. */
export class EgressError extends Error {
  override readonly name = 'EgressError'

  constructor(
    readonly code: EgressCode,
    options?: ErrorOptions,
  ) {
    super(code === 'url_not_allowed' ? 'URL is not allowed' : `Request failed (${code})`, options)
  }
}

export interface FetchLimits {
  /** Of the decoded body. */
  readonly maxBytes: number
  readonly connectMs: number
  /** Up to the last byte of the body. */
  readonly totalMs: number
}

/**
 * One request without any rule about its address: for peers that the deployment itself names (model endpoint, resolver)
 * and, after the check, for `guardedFetch`. Follows no redirect. Throws EgressError, or the reason of the caller's own
 * abort signal; the body's stream fails in the same way when it runs over a limit. `onEnd` runs once, when all is over.
 */
export async function boundedFetch(
  url: string,
  init: RequestInit,
  limits: FetchLimits,
  onEnd: () => void = () => {},
): Promise<Response> {
  const own = new AbortController()
  const callers = init.signal ?? null
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    clearTimeout(running)
    onEnd()
  }
  const expire = () => {
    own.abort(new EgressError('timeout'))
    end()
  }
  const connecting = setTimeout(expire, Math.min(limits.connectMs, limits.totalMs))
  const running = setTimeout(expire, limits.totalMs)
  const explain = (cause: unknown): unknown =>
    own.signal.aborted
      ? own.signal.reason
      : callers?.aborted
        ? callers.reason
        : new EgressError('unreachable', { cause })

  try {
    const signal = callers ? AbortSignal.any([own.signal, callers]) : own.signal
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    if (!response.body) {
      end()
      return response
    }
    if (Number(response.headers.get('content-length')) > limits.maxBytes) {
      own.abort(new EgressError('too_large'))
    }
    own.signal.throwIfAborted()
    const headers = new Headers(response.headers)
    // The body below is the decoded one.
    headers.delete('content-encoding')
    headers.delete('content-length')
    const body = limitBody(response.body, limits.maxBytes, explain, end)
    return new Response(body, { status: response.status, headers })
  } catch (cause) {
    end()
    throw explain(cause)
  } finally {
    clearTimeout(connecting)
  }
}

function limitBody(
  source: ReadableStream<Uint8Array>,
  maxBytes: number,
  explain: (cause: unknown) => unknown,
  end: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let count = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          end()
          controller.close()
          return
        }
        count += value.byteLength
        if (count <= maxBytes) {
          controller.enqueue(value)
          return
        }
        end()
        controller.error(new EgressError('too_large'))
        await reader.cancel()
      } catch (cause) {
        end()
        controller.error(explain(cause))
      }
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
}

/**
 * A request to an endpoint that the deployment itself names, by a caller that keeps its own deadlines: a stream of tokens is
 * read as it comes, with nothing between. Follows no redirect.
 */
export const operatorFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: 'manual' })
