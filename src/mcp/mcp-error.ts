import { isUnreadable } from '../platform/crypto/read-sealed'
import { EgressError } from '../platform/egress-fetch'

/** Why a server could not be used. The texts are fixed: what a peer said stays inside. */
const MCP_PROBLEMS = {
  url_not_allowed: 'URL is not allowed',
  unreachable: 'The server cannot be reached',
  timeout: 'The server did not answer in time',
  too_large: 'The server’s answer is larger than 1 MiB',
  redirected: 'The server redirects to another address; give the final one',
  unreadable: 'The headers that are stored for the server cannot be read: set them anew',
  refused: 'The server refuses the credentials',
  ended: 'The server keeps ending the session',
  protocol: 'The server does not answer as an MCP server of this transport',
  too_many_tools: 'The server announces more tools than are supported (128)',
  too_many_requests: 'The server keeps asking for new connections',
} as const
export type McpProblem = keyof typeof MCP_PROBLEMS

export class McpError extends Error {
  override readonly name = 'McpError'

  constructor(
    readonly problem: McpProblem,
    options?: ErrorOptions,
  ) {
    super(MCP_PROBLEMS[problem], options)
  }
}

/** Any failure of a connection as one of the known problems. */
export function toMcpError(cause: unknown): McpError {
  if (cause instanceof McpError) return cause
  if (isUnreadable(cause)) return new McpError('unreadable', { cause })
  if (cause instanceof EgressError) {
    return new McpError(cause.code === 'too_many_redirects' ? 'redirected' : cause.code, { cause })
  }
  return new McpError('protocol', { cause })
}
