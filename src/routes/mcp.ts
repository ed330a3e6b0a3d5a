import * as z from 'zod'
import { ErrorOut } from '../api-description/errors-schema'
import { defineRoute, type Route } from '../http/route'
import { serveManagement } from '../mcp-server/management-server'

/** What is no call of the protocol is refused in its own form, before a tool is asked. */
const RpcError = z.object({
  jsonrpc: z.literal('2.0'),
  error: z.object({ code: z.int(), message: z.string() }),
  id: z.null(),
})

/** @param routes the whole table, once it is there. */
export const mcpRoutes = (routes: () => readonly Route[]) => [
  defineRoute({
    method: 'POST',
    path: '/v1/mcp',
    layer: 'tenant',
    tag: 'MCP',
    summary:
      'This API for MCP clients: streamable HTTP without sessions. Tools for agents, skills, knowledge bases, usage and audit; each does what its operation here does',
    answers: {
      200: { media: 'text/event-stream' },
      202: 'empty',
      400: z.union([RpcError, ErrorOut]),
      415: RpcError,
    },
    readable: true,
    handler: (c) => serveManagement(c.get('tenant'), c.req.raw, routes(), c.get('dispatch')),
  }),
]
