import type { Api, Query } from '../api/create-api'
import { cursorOf } from './queue'
import type { Review } from './types'

/** As many as the API gives at once. */
const MOST = 200

/** One page of the reviews that a filter leaves: the next one stands in the `Link` header, not in the body. */
export async function readReviews(
  api: Pick<Api, 'raw'>,
  query: Query,
): Promise<{ rows: Review[]; next: string | null }> {
  const response = await api.raw('GET', '/v1/manage/reviews', { query })
  return { rows: await response.json(), next: cursorOf(response.headers.get('Link')) }
}

/** One as it is now: whoever decided it may have moved it to another list, so it is looked for there. */
export async function findReview(
  api: Pick<Api, 'raw'>,
  { id, status, kb_name }: Pick<Review, 'id' | 'status' | 'kb_name'>,
): Promise<Review | null> {
  let cursor: string | null = null
  do {
    const page = await readReviews(api, { status, kb: kb_name, limit: MOST, cursor })
    const found = page.rows.find((one) => one.id === id)
    if (found) return found
    cursor = page.next
  } while (cursor !== null)
  return null
}
