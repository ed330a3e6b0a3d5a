import { type Query, queryText } from '../api/call'
import { type Listed, usePages } from '../use-load'
import { readReviews } from './find-review'
import type { Review } from './types'

/** The reviews that a filter leaves, page by page. */
export function useQueue(filter: Query): Listed<Review> {
  return usePages(queryText(filter), (api, cursor) => readReviews(api, { ...filter, cursor }))
}
