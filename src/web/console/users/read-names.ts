import type { Api } from '../api/create-api'
import { nameOf } from './names'
import type { User } from './types'

/** As many as the API gives at once. */
const MOST = 200
/** Whoever is on none of so many pages was not active for long: an id is enough. */
const MOST_PAGES = 25

/** What people are called, the last active first, until everybody is known who is wanted. */
export async function readNames(
  api: Pick<Api, 'get'>,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  let cursor: string | null = null
  for (let n = 0; n < MOST_PAGES && wanted.some((id) => !names.has(id)); n++) {
    const page: { items: User[]; next_cursor: string | null } = await api.get(
      '/v1/manage/users',
      { limit: MOST, cursor },
      signal,
    )
    for (const user of page.items) names.set(user.id, nameOf(user))
    cursor = page.next_cursor
    if (cursor === null) break
  }
  return names
}
