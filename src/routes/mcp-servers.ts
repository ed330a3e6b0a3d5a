import * as z from 'zod'
import { defineRoute } from '../http/route'
import { checkMcpServer } from '../mcp/check-mcp-server'
import {
  createMcpServer,
  deleteMcpServer,
  getMcpServer,
  listMcpServers,
  patchMcpServer,
} from '../mcp/mcp-servers'
import { presentMcpServer } from '../mcp/present-mcp-server'
import { McpCheckIn, McpServerIn, McpServerOut, McpServerPatch } from '../mcp/schema'
import { uuidParam } from '../wire/fields'

const tag = 'MCP servers'
const params = z.object({ id: uuidParam })

export const mcpServerRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/mcp-servers',
    layer: 'tenant',
    tag,
    summary: 'List remote MCP servers by name, never their secrets',
    answers: { 200: z.array(McpServerOut) },
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json((await listMcpServers(ctx)).map((row) => presentMcpServer(row, ctx.now)))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/mcp-servers',
    layer: 'tenant',
    tag,
    summary: 'Add a remote MCP server; it is asked for its tools in the background',
    json: McpServerIn,
    answers: { 200: McpServerOut },
    errors: [409],
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(presentMcpServer(await createMcpServer(ctx, c.req.valid('json')), ctx.now))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/mcp-servers/{id}',
    layer: 'tenant',
    tag,
    summary: 'Read an MCP server with its tools and state',
    params,
    answers: { 200: McpServerOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(presentMcpServer(await getMcpServer(ctx, c.req.valid('param').id), ctx.now))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/mcp-servers/{id}',
    layer: 'tenant',
    tag,
    summary:
      'Change only the fields that are sent. Headers that are not named stay, null takes one away; a new address keeps only those sent along',
    params,
    json: McpServerPatch,
    answers: { 200: McpServerOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await patchMcpServer(ctx, c.req.valid('param').id, c.req.valid('json'))
      return c.json(presentMcpServer(row, ctx.now))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/mcp-servers/{id}',
    layer: 'tenant',
    tag,
    summary: 'Delete an MCP server and detach its tools from every agent and skill',
    params,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteMcpServer(c.get('tenant'), c.req.valid('param').id)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/mcp-servers/{id}/check',
    layer: 'tenant',
    tag,
    summary:
      'Ask the server for its tools now, ten seconds at most; `accept` takes over what changed since the last time',
    params,
    json: McpCheckIn,
    answers: { 200: McpServerOut },
    errors: [404],
    rate: 'mcpChecks',
    handler: async (c) => {
      const ctx = c.get('tenant')
      const accept = c.req.valid('json').accept ?? false
      const row = await checkMcpServer(ctx, c.req.valid('param').id, accept)
      return c.json(presentMcpServer(row, ctx.now))
    },
  }),
]
