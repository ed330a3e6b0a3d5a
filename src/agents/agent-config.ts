import { changeList, completeFields, patchFields } from '../revisions/fields'
import { AGENT_DEFAULTS, type AgentConfig, type AgentIn, type AgentPatch } from './schema'

/** POST and PUT: what is omitted or null takes its default. */
export const completeConfig = (input: AgentIn): AgentConfig => completeFields(AGENT_DEFAULTS, input)

/** PATCH: only what is sent changes, null resets; lists are set first, then added to, then removed from. Pure. */
export function patchConfig(config: AgentConfig, patch: AgentPatch): AgentConfig {
  const next = patchFields(AGENT_DEFAULTS, config, patch)
  next.tools = changeList(next.tools, patch.tools_add, patch.tools_remove)
  next.skills = changeList(next.skills, patch.skills_add, patch.skills_remove)
  next.knowledge_bases = changeList(
    next.knowledge_bases,
    patch.knowledge_bases_add,
    patch.knowledge_bases_remove,
  )
  return next
}

/** Stored configurations may lack fields that were added later. */
export function withDefaults(config: AgentConfig): AgentConfig {
  return { ...structuredClone(AGENT_DEFAULTS), ...config }
}
