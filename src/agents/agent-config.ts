import { AGENT_DEFAULTS, AGENT_FIELDS, type AgentConfig, type AgentFieldName, type AgentIn, type AgentPatch } from './schema'

/** POST and PUT: what is omitted or null takes its default. */
export function completeConfig(input: AgentIn): AgentConfig {
  const config = structuredClone(AGENT_DEFAULTS)
  for (const name of AGENT_FIELDS) assign(config, name, input[name])
  return config
}

/** PATCH: only what is sent changes, null resets; lists are set first, then added to, then removed from. Pure. */
export function patchConfig(config: AgentConfig, patch: AgentPatch): AgentConfig {
  const next = structuredClone(config)
  for (const name of AGENT_FIELDS) {
    if (patch[name] === null) assign(next, name, structuredClone(AGENT_DEFAULTS[name]))
    else assign(next, name, patch[name])
  }
  next.tools = changeList(next.tools, patch.tools_add, patch.tools_remove)
  next.skills = changeList(next.skills, patch.skills_add, patch.skills_remove)
  next.knowledge_bases = changeList(next.knowledge_bases, patch.knowledge_bases_add, patch.knowledge_bases_remove)
  return next
}

function assign<K extends AgentFieldName>(config: AgentConfig, name: K, value: unknown): void {
  if (value !== undefined && value !== null) config[name] = value as AgentConfig[K]
}

/** Keeps order, adds each name once. */
export function changeList(list: string[], add: string[] | null | undefined, remove: string[] | null | undefined): string[] {
  const gone = new Set(remove ?? [])
  return [...new Set([...list, ...(add ?? [])])].filter((name) => !gone.has(name))
}

/** Stored configurations may lack fields that were added later. */
export function withDefaults(config: AgentConfig): AgentConfig {
  return { ...structuredClone(AGENT_DEFAULTS), ...config }
}
