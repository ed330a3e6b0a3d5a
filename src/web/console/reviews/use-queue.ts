import { type Query, queryText } from '../api/call'
import { type Listed, usePages } from '../use-load'
import { cursorOf } from './queue'
import type { Review } from './types'

const PATH = '/v1/manage/reviews'

/** The reviews that a filter leaves, page by page: their next page stands in the `Link` header, not in the body. */
export function useQueue(filter: Query): Listed<Review> {
  return usePages(queryText(filter), async (api, cursor) => {
    const response = await api.raw('GET', PATH, { query: { ...filter, cursor } })
    const rows = (await response.json()) as Review[]
    return { rows, next: cursorOf(response.headers.get('Link')) }
  })
}
