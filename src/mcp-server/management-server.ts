import type { Actor, TenantContext } from '../context'
import { forbidden } from '../errors'
import { adoptCall } from '../http/adopted-call'
import type { Route } from '../http/route'
import { loadManagementTools, loadMcp } from '../lazy'
import { dropNulls } from '../mcp/drop-nulls'
import { isObject, parseJson } from '../text/json'
import type { ManagementTool, WantedRequest } from './management-tools.lazy'

/** Sends a request of our own through the whole application. */
export type Dispatch = (request: Request) => Promise<Response>

const STREAM = 'text/event-stream'
const INFO = { name: 'parley', version: '0.1.0' }
const INSTRUCTIONS =
  'Manages one tenant of Parley: agents, skills, storylines, knowledge bases and their documents, usage and the audit trail. Names identify agents, skills and bases. A new agent answers end users once `published` is true. Texts that were added can be searched a moment later; search_knowledge_base shows what a question finds. A storyline is live once it is published; validate_storyline says what is in the way.'

const described = new WeakMap<readonly Route[], ManagementTool[]>()

function toolsOf(
  routes: readonly Route[],
  describe: (routes: readonly Route[]) => ManagementTool[],
): ManagementTool[] {
  let tools = described.get(routes)
  if (!tools) {
    tools = describe(routes)
    described.set(routes, tools)
  }
  return tools
}

/**
 * Answers one request of an MCP client: streamable HTTP without sessions. Every call of a tool is a request to the route
 * behind it, as the caller and with `via: mcp`.
 */
export async function serveManagement(
  ctx: TenantContext,
  request: Request,
  routes: readonly Route[],
  dispatch: Dispatch,
): Promise<Response> {
  requireOwnOrigin(ctx, request)
  const [
    { createMcpHandler, ProtocolError, ProtocolErrorCode, Server },
    { describeTools, toRequest },
  ] = await Promise.all([loadMcp(), loadManagementTools()])
  const tools = toolsOf(routes, describeTools)
  const caller = { tenant: ctx.tenant, actor: mcpActor(ctx.actor), via: 'mcp' as const }
  const handler = createMcpHandler(
    () => {
      const server = new Server(INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
      server.setRequestHandler('tools/list', () => ({ tools: tools.map(listTool) }))
      server.setRequestHandler('tools/call', async ({ params }) => {
        const tool = tools.find(({ name }) => name === params.name)
        if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool')
        return callTool(tool.method, toRequest(tool, params.arguments ?? {}), (path, init) =>
          dispatch(adoptCall(new Request(new URL(path, request.url), init), caller)),
        )
      })
      return server
    },
    { maxSubscriptions: 0, keepAliveMs: 0 },
  )
  const text = await request.text()
  const parsedBody = readMessages(text)
  const answer = await handler.fetch(withDefaults(request, text), { parsedBody })
  const isStream = answer.headers.get('content-type')?.startsWith(STREAM)
  return isStream && !takesStream(request) ? toJson(answer) : answer
}

const takesStream = ({ headers }: Request): boolean =>
  (headers.get('accept') ?? '*/*')
    .split(',')
    .some((type) => /^ *(?:\*|text)\/(?:\*|event-stream)/i.test(type))

/** The stream of a call without a session ends with its answer, that of a batch with the last; nothing else comes in it. */
async function toJson(stream: Response): Promise<Response> {
  const events = [...(await stream.text()).matchAll(/^data: (.+)$/gm)]
  const answers = events.map(([, answer]) => answer).join()
  return new Response(events.length > 1 ? `[${answers}]` : answers, {
    headers: { 'content-type': 'application/json' },
  })
}

/** `mcp:{key}`; the operator stays the operator. */
function mcpActor(actor: Actor): Actor {
  return actor.type === 'key'
    ? { ...actor, type: 'mcp', name: `mcp:${actor.name.slice('key:'.length)}` }
    : actor
}

/** A page of another origin has no business here, whatever name it reached us by; clients that are no browsers send none. */
function requireOwnOrigin({ config, origin }: TenantContext, request: Request): void {
  const sent = request.headers.get('origin')
  if (sent !== null && sent !== origin && !config.consoleOrigins.includes(sent))
    throw forbidden('Origin is not allowed')
  if (config.publicBase !== '' && new URL(request.url).host !== new URL(config.publicBase).host)
    throw forbidden('Host is not allowed')
}

/** Clients that do not say what they send and take get what the protocol has. */
function withDefaults(request: Request, body: string): Request {
  const headers = new Headers(request.headers)
  headers.set('accept', `application/json, ${STREAM}`)
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  return new Request(request, { headers, body })
}

/** What a body holds, null in it read as not set; undefined where it is no JSON. */
function readMessages(text: string): unknown {
  const body = parseJson(text) ?? undefined
  for (const message of Array.isArray(body) ? body : [body]) {
    if (!isObject(message)) continue
    if (message.params === null) delete message.params
    else dropNulls(message.params, 0)
  }
  return body
}

const listTool = ({ name, description, inputSchema, annotations }: ManagementTool) => ({
  name,
  description,
  inputSchema,
  annotations: { ...annotations, openWorldHint: false },
})

/** What the route answers, refusals too: the client's model can mend what it reads. */
async function callTool(
  method: string,
  wanted: WantedRequest,
  send: (path: string, init: RequestInit) => Promise<Response>,
) {
  if ('loc' in wanted) return toResult(422, JSON.stringify({ detail: [wanted] }))
  const response = await send(wanted.path, {
    method,
    ...(wanted.body === null
      ? {}
      : { body: JSON.stringify(wanted.body), headers: { 'content-type': 'application/json' } }),
  })
  return toResult(response.status, await response.text())
}

function toResult(status: number, text: string) {
  const value: unknown = text === '' ? { status } : JSON.parse(text)
  if (status >= 400) {
    const refusal = { status, ...(value as object) }
    return { isError: true, content: [{ type: 'text' as const, text: JSON.stringify(refusal) }] }
  }
  return {
    content: [{ type: 'text' as const, text: text === '' ? JSON.stringify(value) : text }],
    structuredContent: Array.isArray(value) ? { items: value } : (value as Record<string, unknown>),
  }
}
