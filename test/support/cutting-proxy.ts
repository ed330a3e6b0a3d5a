import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A proxy in front of an origin that loses the connection of a turn's stream: after this many events for each of the
 * first answers to POST /v1/chat/stream and to its resumptions. Everything else passes untouched.
 */
export class CuttingProxy {
  /** Events let through per stream before the cut; streams beyond the list are left alone. */
  readonly cuts: number[] = []
  readonly resumedFrom: (string | undefined)[] = []
  /** Bytes of streams that were let through. */
  written = 0
  /** Resolves once they were read: a browser drops what nobody has read of a connection that breaks. */
  allRead: () => Promise<void> = () => Promise.resolve()
  readonly #server: Server

  constructor(target: URL) {
    this.#server = createServer((incoming, outgoing) => {
      const isStream = incoming.url?.startsWith('/v1/chat/stream') === true
      if (isStream && incoming.method === 'GET') {
        this.resumedFrom.push(incoming.headers['last-event-id']?.toString())
      }
      const onward = request(
        `${target.origin}${incoming.url ?? '/'}`,
        { method: incoming.method ?? 'GET', headers: incoming.headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          const events = isStream ? this.cuts.shift() : undefined
          if (events === undefined) {
            if (isStream)
              answer.on('data', ({ byteLength }: Buffer) => (this.written += byteLength))
            answer.pipe(outgoing)
            return
          }
          let left = events
          answer.setEncoding('utf8').on('data', (chunk: string) => {
            for (const piece of chunk.split(/(?<=\n\n)/)) {
              if (left <= 0) break
              outgoing.write(piece)
              this.written += Buffer.byteLength(piece)
              if (piece.endsWith('\n\n') && !piece.startsWith(':')) left -= 1
            }
            if (left > 0) return
            answer.destroy()
            void this.allRead().then(() => outgoing.destroy())
          })
        },
      )
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    })
  }

  /** Starts on a free loopback port and returns the origin. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
