import { OPTIONAL_TOOLS, SYSTEM_TOOLS } from '../config'

const OWN_TOOLS = new Set<string>([...SYSTEM_TOOLS, ...OPTIONAL_TOOLS])
const MCP_TOOL = /^mcp:[^/]+(\/.+)?$/

/** Our own tools by name; a tool of a remote server is known by its form, the server answers for the rest at run time. */
export const isKnownTool = (name: string): boolean => OWN_TOOLS.has(name) || MCP_TOOL.test(name)
