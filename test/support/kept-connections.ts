import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request,
} from 'node:http'
import type { Socket } from 'node:net'

/** workerd closes a connection that was idle for five seconds. */
const IDLE_MS = 2000

/**
 * Connections that are used again, but none that was idle for two seconds: the peer may be closing it, and a request that
 * meets that fails. Asked when a request is made, since a timer comes late in a process that is busy.
 */
export class KeptConnections {
  readonly #agent: Agent
  readonly #freeSince = new WeakMap<Socket, number>()

  /** @param atOnce connections to one host at most */
  constructor(atOnce = Number.POSITIVE_INFINITY) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: atOnce, timeout: IDLE_MS })
    this.#agent.on('free', (socket: Socket) => this.#freeSince.set(socket, Date.now()))
  }

  request(options: RequestOptions, answer: (response: IncomingMessage) => void): ClientRequest {
    const oldest = Date.now() - IDLE_MS
    for (const sockets of Object.values(this.#agent.freeSockets))
      for (const socket of sockets ?? [])
        if ((this.#freeSince.get(socket) ?? 0) < oldest) socket.destroy()
    return request({ ...options, agent: this.#agent }, answer)
  }
}

/** The headers as they came, repeated ones joined. */
export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const received = new Headers()
  for (let i = 0; i < rawHeaders.length; i += 2)
    received.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  return received
}
