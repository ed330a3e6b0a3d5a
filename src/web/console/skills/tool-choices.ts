/** A tool that a skill may name. */
export interface ToolChoice {
  value: string
  kind: 'own' | 'server' | 'remote'
  /** Of a remote tool: its server and its own name. */
  server?: string
  label: string
  hint?: string
}

export interface ServerTools {
  name: string
  enabled: boolean
  tools: readonly { name: string; description: string }[]
}

export const OWN_TOOLS = [
  'current_time',
  'ip_geo',
  'weather',
  'search_knowledge',
  'ask_form',
  'handoff',
  'schedule_reminder',
] as const
export type OwnTool = (typeof OWN_TOOLS)[number]

/** Everything that can be ticked: our own tools, and each server whole and by tool. */
export function toolChoices(servers: readonly ServerTools[]): ToolChoice[] {
  const own = OWN_TOOLS.map((value): ToolChoice => ({ value, kind: 'own', label: value }))
  const remote = servers.flatMap(({ name, tools }): ToolChoice[] => [
    { value: `mcp:${name}`, kind: 'server', server: name, label: name },
    ...tools.map(
      (tool): ToolChoice => ({
        value: `mcp:${name}/${tool.name}`,
        kind: 'remote',
        server: name,
        label: tool.name,
        hint: tool.description,
      }),
    ),
  ])
  return [...own, ...remote]
}
