import * as z from 'zod'
import { MCP } from '../config/limits'
import { nameField } from '../wire/fields'
import { MCP_TRANSPORTS } from './types'

/** Set by the protocol, by HTTP itself, or of use only to a browser. */
const RESERVED_HEADERS = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
/** Visible ASCII, spaces and tabs within: what a header can carry unchanged. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/

const headerName = z
  .string()
  .regex(HEADER_NAME, { error: 'not a header name' })
  .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), {
    error: 'this header is set by the protocol',
  })
const headerValue = z
  .string()
  .min(1)
  .max(MCP.headerLength)
  .regex(HEADER_VALUE, { error: 'visible ASCII characters and spaces only' })

const fewHeaders = <T>(headers: Record<string, T>) =>
  new Set(Object.keys(headers).map((name) => name.toLowerCase())).size ===
    Object.keys(headers).length && Object.keys(headers).length <= MCP.headers
const FEW_HEADERS = { error: `at most ${MCP.headers} headers, each once` }

const url = z.string().min(1).max(2048)
const confirm = z
  .union(
    [z.literal('all'), z.array(z.string().min(1).max(MCP.toolNameLength)).max(MCP.toolsPerServer)],
    { error: "'all' or a list of names of tools" },
  )
  .describe('Tools that act: the user is asked before each call.')

export const McpServerIn = z.object({
  name: nameField,
  transport: z.enum(MCP_TRANSPORTS),
  enabled: z.boolean().nullable().optional(),
  confirm: confirm.nullable().optional(),
  config: z.object({
    url,
    headers: z
      .record(headerName, headerValue)
      .refine(fewHeaders, FEW_HEADERS)
      .nullable()
      .optional(),
  }),
})
export type McpServerIn = z.output<typeof McpServerIn>

/** What is null takes its default; name, transport and address have none and stay. A header that is not named stays, null takes it away; with a new address only what is sent along is kept. */
export const McpServerPatch = z.object({
  name: nameField.nullable().optional(),
  transport: z.enum(MCP_TRANSPORTS).nullable().optional(),
  enabled: z.boolean().nullable().optional(),
  confirm: confirm.nullable().optional(),
  config: z
    .object({
      url: url.nullable().optional(),
      headers: z
        .record(headerName, headerValue.nullable())
        .refine(fewHeaders, FEW_HEADERS)
        .nullable()
        .optional(),
    })
    .nullable()
    .optional(),
})
export type McpServerPatch = z.output<typeof McpServerPatch>

export const McpCheckIn = z.object({ accept: z.boolean().nullable().optional() })

export const McpServerOut = z.object({
  id: z.string(),
  name: z.string(),
  transport: z.enum(MCP_TRANSPORTS),
  enabled: z.boolean(),
  confirm,
  config: z.object({ url: z.string(), headers: z.array(z.string()) }),
  status: z.enum(['unknown', 'connecting', 'ready', 'failed', 'disabled']),
  /** Those in use. */
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  /** What waits to be accepted. */
  pending: z.array(
    z.object({ name: z.string(), description: z.string(), change: z.enum(['changed', 'new']) }),
  ),
  last_checked_at: z.string().nullable(),
  last_error: z.string().nullable(),
  created_at: z.string(),
})
