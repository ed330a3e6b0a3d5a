import { useLoad } from '../use-load'
import { nameOf } from './names'
import type { User } from './types'

const MOST = 200

/**
 * What people are called of whom a list has ids alone: whoever waits for a person, or is on the way in a storyline, was
 * active lately, so one list names nearly all.
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
