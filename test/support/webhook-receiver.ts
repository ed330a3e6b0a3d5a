import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Delivered {
  path: string
  body: string
  headers: Record<string, string>
  at: number
}

/** A real receiver on loopback; `behave` says what each call gets. */
export interface WebhookReceiver {
  /** `host:port`, for EGRESS_ALLOW. */
  pair: string
  url(path?: string): string
  /** Calls to one path, oldest first. */
  to(path: string): Delivered[]
  behave(path: string, how: (response: ServerResponse, call: Delivered, n: number) => void): void
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const calls: Delivered[] = []
  const behaviours = new Map<string, Parameters<WebhookReceiver['behave']>[1]>()
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? '/'
    const body = Buffer.concat(chunks).toString()
    const call = { path, body, headers: plain(request.headers), at: Date.now() }
    calls.push(call)
    const how = behaviours.get(path)
    if (how) how(response, call, calls.filter((one) => one.path === path).length)
    else response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const pair = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    pair,
    url: (path = '/') => `http://${pair}${path}`,
    to: (path) => calls.filter((call) => call.path === path),
    behave: (path, how) => void behaviours.set(path, how),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const plain = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
