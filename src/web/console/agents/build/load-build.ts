import type { Api } from '../../api/create-api'
import { agentApi } from '../paths'
import type { Agent, AgentRow, BaseRow, ServerRow, SkillRow } from '../types'

export interface BuildData {
  agent: Agent
  skills: readonly SkillRow[]
  bases: readonly BaseRow[]
  servers: readonly ServerRow[]
  /** All agents, for what they have in common. */
  agents: readonly AgentRow[]
  /** The model that answers where an agent names none, as far as it was heard of. */
  usualModel: string | null
}

/** An agent with everything that it may be given. */
export async function loadBuild(api: Api, name: string, signal: AbortSignal): Promise<BuildData> {
  const get = <T>(path: string) => api.get<T>(path, {}, signal)
  const [agent, skills, bases, servers, agents, settings] = await Promise.all([
    get<Agent>(agentApi(name)),
    get<SkillRow[]>('/v1/skills'),
    get<BaseRow[]>('/v1/knowledge-bases'),
    get<ServerRow[]>('/v1/mcp-servers'),
    get<AgentRow[]>('/v1/agents'),
    get<{ model_status?: { model?: string | null } | null }>('/v1/tenant/settings'),
  ])
  return {
    agent,
    skills,
    bases,
    servers,
    agents,
    usualModel: settings.model_status?.model ?? null,
  }
}

/** Models that somebody here already uses. */
export const modelsOf = ({ agents, usualModel }: BuildData): string[] =>
  [...new Set([...agents.map(({ model }) => model), usualModel])]
    .filter((model) => model !== null)
    .sort()
