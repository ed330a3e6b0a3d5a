import type { Api } from '../api/create-api'

interface Holder {
  name: string
  knowledge_bases: readonly string[]
}

export interface Holders {
  agents: string[]
  skills: string[]
}

/** The agents and skills that have the base. */
export async function findHolders(api: Api, base: string, signal?: AbortSignal): Promise<Holders> {
  const [agents, skills] = await Promise.all([
    api.get<Holder[]>('/v1/agents', {}, signal),
    api.get<Holder[]>('/v1/skills', {}, signal),
  ])
  const namesOf = (all: readonly Holder[]) =>
    all.filter(({ knowledge_bases: bases }) => bases.includes(base)).map(({ name }) => name)
  return { agents: namesOf(agents), skills: namesOf(skills) }
}
