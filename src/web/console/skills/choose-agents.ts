/** Of an agent, what it has of skills and bases. */
export interface AgentLists {
  name: string
  skills: readonly string[]
  knowledge_bases: readonly string[]
  source: string
}

export type ListName = 'skills' | 'knowledge_bases'

export const namesWith = (agents: readonly AgentLists[], list: ListName, name: string): string[] =>
  agents.filter((agent) => agent[list].includes(name)).map((agent) => agent.name)

export interface AgentChange {
  agent: string
  body: Record<string, string[]>
}

/** What to write to which agents so that the chosen ones have it, and no others. */
export function changesOf(
  agents: readonly AgentLists[],
  list: ListName,
  name: string,
  chosen: readonly string[],
): AgentChange[] {
  return agents.flatMap((agent): AgentChange[] => {
    const [has, wants] = [agent[list].includes(name), chosen.includes(agent.name)]
    if (has === wants) return []
    return [{ agent: agent.name, body: { [`${list}_${wants ? 'add' : 'remove'}`]: [name] } }]
  })
}
