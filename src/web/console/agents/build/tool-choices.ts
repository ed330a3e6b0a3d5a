import type { OPTIONAL_TOOLS, SYSTEM_TOOLS } from '../../../../config/names'
import type { ServerRow } from '../types'

/** Tools of the platform, as an agent names them. */
export const OWN_TOOLS = [
  'current_time',
  'ip_geo',
  'weather',
  'search_knowledge',
  'ask_form',
  'schedule_reminder',
  'handoff',
] as const satisfies readonly ((typeof SYSTEM_TOOLS)[number] | (typeof OPTIONAL_TOOLS)[number])[]

/** What an agent may use of one server: everything, what was chosen of it, or nothing. */
export type ServerUse = 'all' | 'some' | 'none'

const wholeServer = (server: string) => `mcp:${server}`
const oneTool = (server: string, tool: string) => `mcp:${server}/${tool}`
const isOf = (tool: string, server: string) =>
  tool === wholeServer(server) || tool.startsWith(oneTool(server, ''))

export function serverUse(tools: readonly string[], server: string): ServerUse {
  if (tools.includes(wholeServer(server))) return 'all'
  return tools.some((tool) => isOf(tool, server)) ? 'some' : 'none'
}

export function setServerUse(
  tools: readonly string[],
  { name, tools: offered }: ServerRow,
  use: ServerUse,
): string[] {
  const rest = tools.filter((tool) => !isOf(tool, name))
  if (use === 'none') return rest
  if (use === 'all') return [...rest, wholeServer(name)]
  const before = tools.filter((tool) => isOf(tool, name) && tool !== wholeServer(name))
  const chosen = before.length > 0 ? before : offered.map((tool) => oneTool(name, tool.name))
  return [...rest, ...chosen]
}

/** The tools that are chosen of a server, by their own names. */
export const chosenOf = (tools: readonly string[], server: string): string[] =>
  tools
    .filter((tool) => tool.startsWith(oneTool(server, '')))
    .map((tool) => tool.slice(oneTool(server, '').length))

export const choose = (
  tools: readonly string[],
  server: string,
  chosen: readonly string[],
): string[] => [
  ...tools.filter((tool) => !isOf(tool, server)),
  ...chosen.map((tool) => oneTool(server, tool)),
]

/** What the agent names and nobody offers: skipped when it answers. */
export function unknownTools(tools: readonly string[], servers: readonly ServerRow[]): string[] {
  return tools.filter((tool) => {
    if ((OWN_TOOLS as readonly string[]).includes(tool)) return false
    const server = servers.find(({ name }) => isOf(tool, name))
    if (server === undefined) return true
    if (tool === wholeServer(server.name) || server.tools.length === 0) return false
    return !server.tools.some(({ name }) => tool === oneTool(server.name, name))
  })
}
