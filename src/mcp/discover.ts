import { MCP } from '../config/limits'
import { configOf } from '../config/read-config'
import { egressContext } from '../domains/egress-context'
import { connect, RemoteError } from './connect'
import { type McpError, toMcpError } from './mcp-error'
import { readTools } from './read-tools'
import { type HeaderOwner, openHeaders } from './seal-headers'
import type { McpEra, McpTransport, ToolDefinition } from './types'

export interface Discovery {
  tools: ToolDefinition[]
  /** Announced tools that are left out, by their names. */
  unusable: string[]
  era: McpEra | null
}

/** Asks a server for its tools: ten seconds for everything. Throws McpError. */
export async function discoverTools(
  env: Env,
  server: HeaderOwner & { transport: McpTransport; headers: string | null },
): Promise<Discovery> {
  const endsAt = Date.now() + MCP.discoveryMs
  const { transport, url } = server
  const headers = await openHeaders(configOf(env), server, server.headers).catch(fail)
  const session = await connect(
    egressContext(env),
    { transport, url, headers, era: null },
    MCP.discoveryMs,
    MCP.discoveryMs,
  )
  try {
    const { tools: announced, skipped } = await session.listTools(Math.max(1, endsAt - Date.now()))
    const { tools, unusable } = await readTools(announced)
    return { tools, unusable: [...skipped, ...unusable], era: session.era }
  } catch (error) {
    throw asProblem(error)
  } finally {
    await session.close()
  }
}

const fail = (error: unknown): never => {
  throw toMcpError(error)
}

/** A server that answers the question for its tools with an error has none that could be used. */
const asProblem = (error: unknown): McpError =>
  toMcpError(error instanceof RemoteError ? error.cause : error)
