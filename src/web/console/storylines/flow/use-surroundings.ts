import { useLoad } from '../../use-load'
import type { Storyline } from '../types'
import type { Surroundings } from './context'

interface Server {
  name: string
  tools: readonly { name: string }[]
}
interface Skill {
  name: string
  tools?: readonly string[] | null
}

const NOTHING: Surroundings = { agents: [], bases: [], tools: [], serverTools: [], siblings: [] }

/** What the storyline can name: a list that cannot be read leaves its names to be written by hand. */
export function useSurroundings(id: string, agent: string): Surroundings {
  const loaded = useLoad<Surroundings>(
    async (api, signal) => {
      const list = <T>(path: string) => api.get<T[]>(path, undefined, signal).catch((): T[] => [])
      const [agents, bases, servers, skills, storylines, own] = await Promise.all([
        list<{ name: string }>('/v1/agents'),
        list<{ name: string }>('/v1/knowledge-bases'),
        list<Server>('/v1/mcp-servers'),
        list<Skill>('/v1/skills'),
        list<Storyline>('/v1/storylines'),
        api
          .get<{ tools: string[]; skills: string[] }>(
            `/v1/agents/${encodeURIComponent(agent)}`,
            undefined,
            signal,
          )
          .catch(() => ({ tools: [] as string[], skills: [] as string[] })),
      ])
      const ofSkills = skills
        .filter(({ name }) => own.skills.includes(name))
        .flatMap((skill) => skill.tools ?? [])
      const tools = [...new Set([...own.tools, ...ofSkills])]
      const serverTools = servers.flatMap((server) =>
        tools.includes(`mcp:${server.name}`)
          ? server.tools.map((tool) => `mcp:${server.name}/${tool.name}`)
          : tools.filter((tool) => tool.startsWith(`mcp:${server.name}/`)),
      )
      return {
        agents: agents.map(({ name }) => name),
        bases: bases.map(({ name }) => name),
        tools,
        serverTools,
        siblings: storylines.filter((one) => one.id !== id),
      }
    },
    [id, agent],
  )
  return loaded.data ?? NOTHING
}
