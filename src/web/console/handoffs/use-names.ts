import { useLoad } from '../use-load'
import { nameOf } from '../users/names'
import type { User } from '../users/types'

const MOST = 200

/**
 * What those are called who wait: a handoff has ids alone, and whoever asked for a person was active lately, so one list
 * names nearly all. Who is missing there is told by what they said.
 */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)].sort().join(' ')
  const names = useLoad(
    async (api, signal) => {
      if (wanted === '') return new Map<string, string>()
      const page = await api.get<{ items: User[] }>('/v1/manage/users', { limit: MOST }, signal)
      return new Map(page.items.map((user) => [user.id, nameOf(user)]))
    },
    [wanted],
  )
  return names.data ?? new Map()
}
