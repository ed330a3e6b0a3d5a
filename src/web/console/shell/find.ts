import { agentPath } from '../agents/paths'
import type { Api } from '../api/create-api'
import type { IconName } from '../parts'
import { to } from '../router'
import { skillScreen } from '../skills/addresses'

/** Something that can be gone to. */
export interface Target {
  kind: 'page' | 'setting' | 'agent' | 'skill' | 'base' | 'server' | 'storyline' | 'user'
  name: string
  to: string
  icon: IconName
}

export interface Named {
  name: string
}

/** Everything of the tenant that has a name. What a key may not read is left out. */
export async function listTargets(api: Api, signal: AbortSignal): Promise<Target[]> {
  const list = async <T>(path: string): Promise<T[]> => {
    try {
      const page = await api.get<T[] | { items: T[] }>(path, {}, signal)
      return Array.isArray(page) ? page : page.items
    } catch (error) {
      if (signal.aborted) throw error
      return []
    }
  }
  const [agents, skills, bases, servers, storylines] = await Promise.all([
    list<Named>('/v1/agents'),
    list<Named>('/v1/skills'),
    list<Named>('/v1/knowledge-bases'),
    list<{ id: string } & Named>('/v1/mcp-servers'),
    list<{ id: string; key: string; name: string | null }>('/v1/storylines'),
  ])
  return [
    ...agents.map(({ name }) => target('agent', 'agents', name, agentPath(name))),
    ...skills.map(({ name }) => target('skill', 'skill', name, skillScreen(name))),
    ...bases.map(({ name }) => target('base', 'book', name, to`/knowledge/${name}`)),
    ...servers.map(({ id, name }) => target('server', 'server', name, to`/mcp/${id}`)),
    ...storylines.map(({ id, key, name }) =>
      target('storyline', 'flow', name || key, to`/storylines/${id}`),
    ),
  ]
}

interface User {
  id: string
  pref_name: string | null
  email: string | null
  external_user_id: string | null
}

/** Users are asked for as they are typed: there may be any number. */
export async function findUsers(api: Api, q: string, signal: AbortSignal): Promise<Target[]> {
  const { items } = await api.get<{ items: User[] }>('/v1/manage/users', { q, limit: 5 }, signal)
  return items.map(({ id, pref_name, email, external_user_id }) =>
    target('user', 'users', pref_name || email || external_user_id || id, to`/users/${id}`),
  )
}

export const target = (
  kind: Target['kind'],
  icon: IconName,
  name: string,
  path: string,
): Target => ({
  kind,
  name,
  to: path,
  icon,
})

/** What a search leaves: the first of them, and how many there are besides. */
export interface Found {
  targets: readonly Target[]
  more: number
}

const MOST = 30

/** Those that hold every word typed, names that begin so first. */
export function rankTargets(targets: readonly Target[], typed: string, most = MOST): Found {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const fitting = targets
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .map((one) => ({ one, begins: one.name.toLowerCase().startsWith(words[0] ?? '') }))
    .sort((a, b) => Number(b.begins) - Number(a.begins))
    .map(({ one }) => one)
  return { targets: fitting.slice(0, most), more: Math.max(0, fitting.length - most) }
}
