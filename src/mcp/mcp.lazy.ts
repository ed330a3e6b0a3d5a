/** The parts of the protocol's libraries that are used when a connection is opened or a client calls; the checker of arguments. */
export { Validator } from '@cfworker/json-schema'
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
