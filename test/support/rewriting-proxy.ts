import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server in front of the Worker that changes what passes: how a test plays a new deployment. */
export interface RewritingProxy {
  origin: string
  /** Gets path and text of every scripted or HTML answer; null leaves it as it is. */
  rewrite: (path: string, text: string) => string | null
  close(): Promise<void>
}

export async function startRewritingProxy(target: URL): Promise<RewritingProxy> {
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: RewritingProxy = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rewrite: () => null,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const path = request.url ?? '/'
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) {
      if (typeof value === 'string' && !['host', 'connection'].includes(name)) {
        headers.set(name, value)
      }
    }
    const answer = await fetch(new URL(path, target), {
      method: request.method ?? 'GET',
      headers,
      redirect: 'manual',
      ...(parts.length === 0 ? {} : { body: Buffer.concat(parts) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isText = /html|javascript/.test(answer.headers.get('content-type') ?? '')
    const body = (isText && proxy.rewrite(path, bytes.toString('utf8'))) || bytes
    for (const [name, value] of answer.headers) {
      if (!['content-encoding', 'content-length', 'transfer-encoding'].includes(name)) {
        response.setHeader(name, value)
      }
    }
    response.writeHead(answer.status).end(body)
  }
  return proxy
}
