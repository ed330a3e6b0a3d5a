import type { JsonSchema } from '../api-description/json-schemas'

export const MCP_TRANSPORTS = ['streamable_http', 'sse'] as const
export type McpTransport = (typeof MCP_TRANSPORTS)[number]

/** Which generation of the protocol a server spoke last, so that the next connection need not probe. */
export type McpEra = { kind: 'legacy' } | { kind: 'modern'; discover: Record<string, unknown> }

/** Tools that act: their names, or all of the server's. Their user confirms each call. */
export type McpConfirm = 'all' | string[]

/** A tool as its server announces it, already bounded: nothing of it is longer than the limits say. */
export interface ToolDefinition {
  name: string
  description: string
  /** What the server says about single arguments, a line each: it goes to the model as data beside the description. */
  notes: string
  /** Of the arguments: no references, no free text, of bounded size. */
  schema: JsonSchema
  /** Of everything that was announced: name, description and schema as they came. */
  hash: string
}

/** A definition that the tenant has accepted. `changed` and `gone` ones are not used. */
export interface PinnedTool extends ToolDefinition {
  state: 'ready' | 'changed' | 'gone'
}

/** A definition that waits for the tenant. */
export interface PendingTool extends ToolDefinition {
  change: 'changed' | 'new'
}

/** What a turn needs of a server, as plain data. */
export interface McpServerFacts {
  id: string
  name: string
  formerNames: string[]
  transport: McpTransport
  url: string
  /** Sealed under the tenant's key, null for none. */
  headers: string | null
  era: McpEra | null
  confirm: McpConfirm
  /** The pinned tools that the agent names; null when the server was never asked and the turn has to. */
  tools: ToolDefinition[] | null
  /** The agent's references to this server, for what a turn's own discovery finds. */
  references: string[]
}
