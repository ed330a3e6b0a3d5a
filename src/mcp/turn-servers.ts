import { MCP } from '../config/limits'
import { configOf } from '../config/read-config'
import { egressContext } from '../domains/egress-context'
import { createGate } from '../platform/gate'
import { connect, type McpSession, RemoteError } from './connect'
import { discoverTools } from './discover'
import { McpError } from './mcp-error'
import { resultText } from './result-text'
import { openHeaders } from './seal-headers'
import type { McpServerFacts, ToolDefinition } from './types'

/** Under which a call carries its id beside its arguments. */
const IDEMPOTENCY = 'parley/idempotency-key'

export interface McpCallResult {
  /** False: the tool says that it failed. */
  ok: boolean
  /** The peer's text. */
  text: string
}

/** The remote servers of one turn: a connection each, opened by the first call and closed with the turn. */
export interface TurnServers {
  /** A server that was never asked. Null when it cannot be asked within ten seconds. */
  discover(server: McpServerFacts): Promise<ToolDefinition[] | null>
  /** @param id tells the server two calls from one call made twice. @throws McpError when the server fails; its text is ours. */
  call(
    server: McpServerFacts,
    tool: string,
    args: Record<string, unknown>,
    id?: string,
  ): Promise<McpCallResult>
  close(): Promise<void>
}

export function createTurnServers(
  env: Env,
  tenant: { id: string; wrappedKey: string },
  signal: AbortSignal,
): TurnServers {
  const sessions = new Map<string, Promise<McpSession>>()
  /** Those that failed too: a peer keeps its side until it hears of the end. */
  const opened: Promise<McpSession>[] = []
  const gate = createGate(MCP.callsAtOnce)
  const ownerOf = ({ id, url }: McpServerFacts) => ({
    tenantId: tenant.id,
    wrappedKey: tenant.wrappedKey,
    serverId: id,
    url,
  })

  async function open(server: McpServerFacts): Promise<McpSession> {
    const { transport, url, era } = server
    const headers = await openHeaders(configOf(env), ownerOf(server), server.headers)
    return connect(
      egressContext(env),
      { transport, url, headers, era },
      MCP.discoveryMs,
      MCP.sessionMs,
    )
  }

  function sessionOf(server: McpServerFacts): Promise<McpSession> {
    let session = sessions.get(server.id)
    if (!session) {
      session = open(server)
      session.catch(() => {})
      sessions.set(server.id, session)
      opened.push(session)
    }
    return session
  }

  return {
    discover: async (server) => {
      const { transport, headers } = server
      try {
        return (await discoverTools(env, { ...ownerOf(server), transport, headers })).tools
      } catch (error) {
        if (error instanceof McpError) return null
        throw error
      }
    },
    call: async (server, tool, args, id) => {
      const endsAt = Date.now() + MCP.callMs
      const leave = await gate.enter()
      try {
        signal.throwIfAborted()
        const ask = async () => {
          const session = await sessionOf(server)
          return session.callTool(
            { name: tool, arguments: args, ...(id ? { _meta: { [IDEMPOTENCY]: id } } : {}) },
            Math.max(1, endsAt - Date.now()),
            signal,
          )
        }
        const used = sessionOf(server)
        const result = await ask().catch((error: unknown) => {
          if (!(error instanceof McpError && error.problem === 'ended')) throw error
          // It was forgotten and did nothing: the protocol has another one begun.
          if (sessions.get(server.id) === used) sessions.delete(server.id)
          return ask()
        })
        return { ok: result.isError !== true, text: resultText(result) }
      } catch (error) {
        if (error instanceof RemoteError) return { ok: false, text: error.message }
        // The next call may find the server well again.
        sessions.delete(server.id)
        throw error
      } finally {
        leave()
      }
    },
    close: async () => {
      const all = await Promise.allSettled(opened)
      await Promise.all(
        all.map((session) => (session.status === 'fulfilled' ? session.value.close() : undefined)),
      )
    },
  }
}
