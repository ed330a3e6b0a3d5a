import { defineRoute, type Route } from '../http/route'
import { serveManagement } from '../mcp-server/management-server'

/** @param routes the whole table, once it is there. */
export const mcpRoutes = (routes: () => readonly Route[]) => [
  defineRoute({
    method: 'POST',
    path: '/v1/mcp',
    layer: 'tenant',
    tag: 'MCP',
    summary:
      'This API for MCP clients: streamable HTTP without sessions. Tools for agents, skills, knowledge bases, usage and audit; each does what its operation here does',
    answers: { 200: { media: 'text/event-stream' }, 202: 'empty' },
    readable: true,
    handler: (c) => serveManagement(c.get('tenant'), c.req.raw, routes(), c.get('dispatch')),
  }),
]
