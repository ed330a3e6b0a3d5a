import type {
  CallToolResult,
  Client,
  PriorDiscovery,
  Transport,
} from '@modelcontextprotocol/client'
import { MCP } from '../config/limits'
import { loadMcp } from '../lazy'
import type { EgressContext } from '../platform/egress'
import { dropNulls } from './drop-nulls'
import { McpError, toMcpError } from './mcp-error'
import { createPeerFetch } from './peer-fetch'
import type { AnnouncedTool } from './read-tools'
import { skipMalformed } from './skip-malformed'
import type { McpEra, McpTransport } from './types'

export type { CallToolResult }

export interface McpAddress {
  transport: McpTransport
  url: string
  headers: Record<string, string>
  era: McpEra | null
}

/** One open connection. Every method throws McpError for a peer that fails, RemoteError for one that answers with an error. */
export interface McpSession {
  /** The generation of the protocol, to spare the next connection its probe; null when it is too large to keep. */
  era: McpEra | null
  /** `skipped` are announced tools that are none, by their names. */
  listTools(ms: number): Promise<{ tools: AnnouncedTool[]; skipped: string[] }>
  callTool(
    call: Parameters<Client['callTool']>[0],
    ms: number,
    signal: AbortSignal,
  ): Promise<CallToolResult>
  /** Never throws; waits three seconds at most. */
  close(): Promise<void>
}

/** The peer's own refusal of a call. `message` is the peer's text: data, never shown to a caller as ours. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}

const CLIENT_INFO = { name: 'parley', version: '0.1.0' }
const ERA_LENGTH = 8000
/** As deep as the annotations of a part of a result. */
const RESULT_DEPTH = 4

/**
 * Opens a connection: library loaded, handshake done. `ms` is for the handshake; `lifeMs` for every body of the
 * connection. Throws McpError.
 */
export async function connect(
  egress: EgressContext,
  address: McpAddress,
  ms: number,
  lifeMs: number,
): Promise<McpSession> {
  const library = await loadMcp()
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  let failure: McpError | null = null
  const onFailure = (error: McpError) => {
    failure ??= error
    ended.reject(failure)
  }
  // A server may answer a call with one JSON body: its head comes when the tool is done.
  const limits = { connectMs: lifeMs, totalMs: lifeMs }
  const fetch = createPeerFetch({ egress, transport: address.transport, limits, onFailure })
  const options = { fetch, requestInit: { headers: address.headers } }
  const url = new URL(address.url)
  const transport =
    address.transport === 'sse'
      ? new library.SSEClientTransport(url, options)
      : new library.StreamableHTTPClientTransport(url, options)
  const wire: Transport = transport
  wire.onmessage = (message) => dropNulls((message as { result?: unknown }).result, RESULT_DEPTH)
  // What tells a server that a call was given up goes out before the connection ends.
  let told: Promise<unknown> = Promise.resolve()
  const send = wire.send.bind(wire)
  wire.send = (message, options) => {
    const sent = send(message, options)
    if (!('id' in message)) told = Promise.allSettled([told, sent])
    return sent
  }
  const client = new library.Client(CLIENT_INFO, {
    versionNegotiation: { mode: address.transport === 'sse' ? 'legacy' : 'auto' },
    inputRequired: { autoFulfill: false },
    listMaxPages: MCP.listPages,
  })

  /** Whatever ends first: the work, the connection, the time. */
  const within = async <T>(work: Promise<T>, limitMs: number): Promise<T> => {
    const late = new McpError('timeout')
    let timer: ReturnType<typeof setTimeout> | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(late), limitMs)
    })
    try {
      return await Promise.race([work, ended.promise, timeout])
    } catch (error) {
      if (isRemote(error)) throw new RemoteError(error.message, { cause: error })
      if (isTimeout(error)) throw late
      throw failure ?? toMcpError(error)
    } finally {
      clearTimeout(timer)
    }
  }
  const requestOptions = (limitMs: number) => ({ timeout: limitMs, maxTotalTimeout: limitMs })

  const close = async () => {
    const end = async () => {
      await told
      if ('terminateSession' in transport && failure === null) await transport.terminateSession()
    }
    await within(end(), MCP.closeMs).catch(() => {})
    await client.close().catch(() => {})
  }
  try {
    const prior = address.era as PriorDiscovery | null
    await within(
      client.connect(transport, { ...requestOptions(ms), ...(prior ? { prior } : {}) }),
      ms,
    )
  } catch (error) {
    await client.close().catch(() => {})
    // A server that refuses the handshake is no server that can be used.
    throw error instanceof RemoteError ? new McpError('protocol', { cause: error }) : error
  }
  return {
    era: eraOf(client),
    close,
    listTools: async (limitMs) => {
      const skipped: string[] = []
      const deliver = wire.onmessage
      wire.onmessage = (message, extra) => deliver?.(skipMalformed(message, skipped), extra)
      const asked = client.listTools(undefined, requestOptions(limitMs))
      const { tools } = await within(asked, limitMs)
      if (tools.length + skipped.length > MCP.toolsPerServer) throw new McpError('too_many_tools')
      return { tools, skipped }
    },
    callTool: (call, limitMs, signal) =>
      within(client.callTool(call, { ...requestOptions(limitMs), signal }), limitMs),
  }
}

function eraOf(client: Client): McpEra | null {
  const discover = client.getDiscoverResult()
  if (!discover) return { kind: 'legacy' }
  return JSON.stringify(discover).length <= ERA_LENGTH ? { kind: 'modern', discover } : null
}

/** The library's classes are not loaded with this module, so its errors are told by their names. */
const isRemote = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ProtocolError'

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'REQUEST_TIMEOUT'
