import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Loopback {
  readonly origin: string
  /** `host:port`, as EGRESS_ALLOW takes it. */
  readonly pair: string
  readonly requests: IncomingMessage[]
  close(): Promise<void>
}

/** A server on a free port of 127.0.0.1 that remembers its requests. */
export async function startLoopback(handler: RequestListener): Promise<Loopback> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    handler(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    pair: `127.0.0.1:${port}`,
    requests,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
