/**
 * The parts of the protocol's libraries that are used. `scripts/build-mcp-library.mjs` makes one file of them,
 * `library.gen.js`, which is loaded when a connection is opened or a client calls: they take longer to load than all the
 * rest, and with a copy of zod of their own the Worker's is not drawn into what is loaded late.
 */
export {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
export {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
