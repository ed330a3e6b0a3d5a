import { MCP } from '../config/limits'
import { type EgressContext, guardedFetch } from '../platform/egress'
import type { FetchLimits } from '../platform/egress-fetch'
import { McpError, toMcpError } from './mcp-error'
import type { McpTransport } from './types'

interface PeerFetchInput {
  egress: EgressContext
  transport: McpTransport
  limits: Pick<FetchLimits, 'connectMs' | 'totalMs'>
  /** Hears of the first thing that makes the connection useless, also in the middle of a body. */
  onFailure(error: McpError): void
}

/**
 * The fetch of one connection to one server, for the protocol's library: every hop passes the egress guard, a POST is
 * never sent on, what the peer may make us ask is bounded. Streamable HTTP opens no stream of its own: nothing that a
 * call needs comes over it.
 */
export function createPeerFetch(input: PeerFetchInput): typeof fetch {
  let requests = 0
  let streams = 0
  const fail = (cause: unknown): McpError => {
    const error = toMcpError(cause)
    input.onFailure(error)
    return error
  }
  return async (target, init = {}) => {
    const method = (init.method ?? 'GET').toUpperCase()
    const headers = new Headers(init.headers)
    if (++requests > MCP.requests) throw fail(new McpError('too_many_requests'))
    if (method === 'GET') {
      if (input.transport === 'streamable_http' && !headers.has('last-event-id'))
        return new Response(null, { status: 405 })
      // A stream that ended is not opened again: its session is lost with it.
      if (input.transport === 'sse' && ++streams > 1) throw fail(new McpError('unreachable'))
    }
    try {
      const response = await guardedFetch(
        input.egress,
        String(target),
        { method, headers, body: init.body ?? null, signal: init.signal ?? null },
        input.limits,
      )
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel()
        throw new McpError('redirected')
      }
      if (response.status === 401 || response.status === 403) {
        await response.body?.cancel()
        throw new McpError('refused')
      }
      if (response.status === 404 && headers.has('mcp-session-id')) {
        await response.body?.cancel()
        throw new McpError('ended')
      }
      // A server from before this question may fall over it; the handshake that follows shows whether it works.
      if (response.status >= 500 && headers.get('mcp-method') === 'server/discover') {
        await response.body?.cancel()
        return new Response(null, { status: 404 })
      }
      return watchBody(response, init.signal, fail)
    } catch (error) {
      // The library's own cancelling is no failure of the peer.
      if (init.signal?.aborted) throw error
      throw fail(error)
    }
  }
}

/** The same answer, whose failing body is heard of: the library would only note it. */
function watchBody(
  response: Response,
  signal: AbortSignal | null | undefined,
  fail: (cause: unknown) => McpError,
): Response {
  if (!response.body) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(signal?.aborted ? error : fail(error))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, response)
}
