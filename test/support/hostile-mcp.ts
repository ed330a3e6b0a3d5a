import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Loopback, startLoopback } from './loopback'

interface Call {
  id?: number | string
  method: string
  params?: Record<string, unknown>
}
type Answer = (call: Call, request: IncomingMessage, response: ServerResponse) => void

export interface HostileMcp extends Omit<Loopback, 'requests'> {
  requests: Loopback['requests']
  /** Headers and JSON-RPC calls as they came, oldest first. */
  calls: { path: string; headers: IncomingMessage['headers']; call: Call }[]
  /** What `tools/list` announces at `/tools`. */
  tools: unknown[]
  /** What `tools/call` answers with at `/tools`. */
  result: unknown
  /** Until when it keeps that back. */
  until?: Promise<void>
  urlOf(path: string): string
}

/**
 * A server that speaks the protocol as badly as its path says: `/tools` is honest and scripted, everything else misbehaves
 * in one way.
 * @param canary where the redirecting paths point.
 */
export async function startHostileMcp(canary: string): Promise<HostileMcp> {
  let forgot = false
  const ways: Record<string, Answer> = {
    '/tools': (call, _request, response) => {
      if (call.method === 'tools/list') return result(response, call, { tools: state.tools })
      if (call.method === 'tools/call')
        return void Promise.resolve(state.until).then(() => result(response, call, state.result))
      greet(call, response)
    },
    // Honest, and keeps a session for each connection.
    '/sessions': (call, request, response) => {
      if (call.method === 'initialize') response.setHeader('mcp-session-id', crypto.randomUUID())
      if (call.method === 'DELETE') return void response.writeHead(200).end()
      ways['/tools']?.(call, request, response)
    },
    // A restart before its first call: the session that it was to come by is forgotten.
    '/forgets': (call, _request, response) => {
      if (call.method === 'tools/list') return result(response, call, { tools: state.tools })
      if (call.method === 'tools/call' && !forgot) {
        forgot = true
        return void response.writeHead(404).end()
      }
      if (call.method === 'tools/call') return result(response, call, state.result)
      if (call.method === 'initialize') response.setHeader('mcp-session-id', crypto.randomUUID())
      greet(call, response)
    },
    // Of the years before `server/discover`, and it falls over what it does not know.
    '/falls-over': (call, request, response) =>
      call.method === 'server/discover'
        ? void response.writeHead(500).end('Internal Server Error')
        : ways['/tools']?.(call, request, response),
    // A library that writes null for each field that is not set.
    '/nulls': (call, _request, response) => {
      if (call.method === 'initialize')
        return result(response, call, {
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: null }, prompts: null },
          serverInfo: { name: 'nulls', version: '1', title: null },
          instructions: null,
        })
      if (call.method === 'tools/list')
        return result(response, call, { tools: state.tools, nextCursor: null })
      if (call.method === 'tools/call')
        return result(response, call, {
          content: [
            { type: 'text', text: 'Text.', annotations: null, _meta: null },
            {
              type: 'resource',
              resource: { uri: 'file:///a', mimeType: null, text: 'File.', _meta: null },
            },
          ],
          structuredContent: null,
          isError: null,
        })
      greet(call, response)
    },
    '/redirect-canary': (_call, _request, response) => redirect(response, canary),
    '/redirect-metadata': (_call, _request, response) =>
      redirect(response, 'http://169.254.169.254/latest/meta-data'),
    '/redirect-list': (call, _request, response) =>
      call.method === 'tools/list' ? redirect(response, canary) : greet(call, response),
    '/endless': (call, _request, response) => {
      if (call.method !== 'tools/list') return greet(call, response)
      response.writeHead(200, { 'content-type': 'application/json' })
      pour(response, '{"jsonrpc":"2.0","id":1,"result":{"tools":[', 'x'.repeat(65_536), 0)
    },
    '/endless-events': (call, _request, response) => {
      if (call.method !== 'tools/list') return greet(call, response)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      pour(response, '', `: ${'x'.repeat(65_536)}\n`, 0)
    },
    '/drip': (call, _request, response) => {
      if (call.method !== 'tools/list') return greet(call, response)
      response.writeHead(200, { 'content-type': 'application/json' })
      pour(response, '{', ' ', 200)
    },
    '/silent': () => {},
    '/silent-list': (call, _request, response) => {
      if (call.method !== 'tools/list') greet(call, response)
    },
    '/many-tools': (call, _request, response) => {
      if (call.method !== 'tools/list') return greet(call, response)
      const tools = Array.from({ length: 10_000 }, (_, n) => toolOf(`t${n}`))
      result(response, call, { tools })
    },
    '/many-pages': (call, _request, response) => {
      if (call.method !== 'tools/list') return greet(call, response)
      const page = Number(call.params?.cursor ?? 0)
      result(response, call, { tools: [toolOf(`p${page}`)], nextCursor: String(page + 1) })
    },
    '/not-json': (_call, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>No.</html>')
    },
    '/wrong-shape': (call, _request, response) =>
      call.method === 'tools/list'
        ? result(response, call, { tools: { a: 1 } })
        : greet(call, response),
    '/deep': (call, _request, response) => {
      if (call.method !== 'tools/list') return greet(call, response)
      const depth = 100_000
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":{"tools":[{"name":"deep","inputSchema":{"type":"object","x":${'['.repeat(depth)}${']'.repeat(depth)}}}]}}`,
      )
    },
    '/wrong-id': (call, _request, response) =>
      result(response, { ...call, id: 999_999 }, { tools: [] }),
    '/refuses': (_call, _request, response) => {
      response
        .writeHead(401, {
          'www-authenticate': `Bearer resource_metadata="${canary}/.well-known/oauth-protected-resource"`,
        })
        .end('secret-text-of-the-peer')
    },
    '/fails': (_call, _request, response) => {
      response.writeHead(500).end('secret-text-of-the-peer')
    },
    '/sse/redirect-canary': (_call, _request, response) => redirect(response, canary),
    '/sse/redirect-metadata': (_call, _request, response) =>
      redirect(response, 'http://169.254.169.254/latest/meta-data'),
    '/sse/elsewhere': (_call, _request, response) => {
      openEvents(response).write(`event: endpoint\ndata: ${canary}/message\n\n`)
    },
    '/sse/no-endpoint': (_call, _request, response) => {
      openEvents(response).write(': hello\n\n')
    },
    '/sse/endless': (_call, _request, response) => {
      pour(openEvents(response), '', `: ${'x'.repeat(65_536)}\n`, 0)
    },
    '/sse/drip': (_call, _request, response) => pour(openEvents(response), '', ':', 200),
    '/sse/ends': (_call, _request, response) => {
      openEvents(response).end('retry: 0\n\n')
    },
    '/sse/refuses': (_call, _request, response) => {
      response.writeHead(403).end('secret-text-of-the-peer')
    },
    '/sse/not-events': (_call, _request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>No.</html>')
    },
    '/asks': (call, _request, response) => {
      if (call.method !== 'tools/list') return greet(call, response)
      // A stream that ends at once and invites to come back at once, for ever.
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('id: 1\nretry: 0\ndata:\n\n')
    },
  }
  const loopback = await startLoopback((request, response) => {
    void readCall(request).then((call) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname
      state.calls.push({ path, headers: request.headers, call })
      const way = ways[path]
      if (!way) return void response.writeHead(404).end()
      if (path === '/asks' && request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return void response.end('id: 1\nretry: 0\ndata:\n\n')
      }
      way(call, request, response)
    })
  })
  const state: HostileMcp = {
    ...loopback,
    calls: [],
    tools: [],
    result: { content: [{ type: 'text', text: 'Done.' }] },
    urlOf: (path) => `${loopback.origin}${path}`,
  }
  return state
}

export const toolOf = (name: string, fields: Record<string, unknown> = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...fields,
})

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array))
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return { method: request.method ?? '' }
  }
}

/** The handshake of the protocol's 2025 generation. */
function greet(call: Call, response: ServerResponse): void {
  if (call.method === 'initialize') {
    result(response, call, {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    })
    return
  }
  if (call.id === undefined) return void response.writeHead(202).end()
  const error = { code: -32601, message: 'Method not found' }
  send(response, { jsonrpc: '2.0', id: call.id, error })
}

const result = (response: ServerResponse, call: Call, value: unknown) =>
  send(response, { jsonrpc: '2.0', id: call.id, result: value })

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function openEvents(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(307, { location }).end()
}

function pour(response: ServerResponse, first: string, piece: string, everyMs: number): void {
  response.write(first)
  const next = () => {
    if (response.destroyed) return
    const goOn = response.write(piece)
    if (everyMs > 0) setTimeout(next, everyMs)
    else if (goOn) setImmediate(next)
    else response.once('drain', next)
  }
  next()
}
