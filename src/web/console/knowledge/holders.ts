import type { Api } from '../api/create-api'
import { type AgentLists, namesWith } from '../skills/choose-agents'

export interface Holders {
  agents: string[]
  skills: string[]
  /** Those that have it, and those that could. */
  all: readonly AgentLists[]
}

/** The agents and skills that have the base. */
export async function findHolders(api: Api, base: string, signal: AbortSignal): Promise<Holders> {
  const [all, skills] = await Promise.all([
    api.get<AgentLists[]>('/v1/agents', {}, signal),
    api.get<{ name: string; knowledge_bases: string[] }[]>('/v1/skills', {}, signal),
  ])
  const having = skills.filter((skill) => skill.knowledge_bases.includes(base))
  return {
    agents: namesWith(all, 'knowledge_bases', base),
    skills: having.map(({ name }) => name),
    all,
  }
}
