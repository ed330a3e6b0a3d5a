import * as z from 'zod'
import { defineRoute } from '../../http/route'
import { approveReview, rejectReview } from '../../reviews/approve-review'
import { draftReview } from '../../reviews/draft-review'
import { listReviews, requireOpenReviews } from '../../reviews/find-review'
import { presentReview } from '../../reviews/present-review'
import { ApproveIn, DraftOut, DraftQuery, ReviewOut, ReviewQuery } from '../../reviews/schema'
import { uuidParam } from '../../wire/fields'
import { nextLink } from '../../wire/paging'

const tag = 'Reviews'
const params = z.object({ rid: uuidParam })

/** All of them are 403 in privacy mode: reviews hold what users wrote. */
export const manageReviewRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/manage/reviews',
    layer: 'tenant',
    tag,
    summary:
      'Questions that were not answered well, newest first; the next page is in the `Link` header, `q` looks into questions and answers of the newest 1,000',
    query: ReviewQuery,
    answers: { 200: z.array(ReviewOut) },
    handler: async (c) => {
      const ctx = c.get('tenant')
      requireOpenReviews(ctx)
      const query = c.req.valid('query')
      const page = await listReviews(ctx, query)
      if (page.next_cursor !== null) c.header('Link', nextLink(c.req.path, query, page.next_cursor))
      return c.json(page.items)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/manage/reviews/{rid}/draft',
    layer: 'tenant',
    tag,
    summary: 'Draft an answer from what the agent’s bases hold, or say why there is none',
    params,
    query: DraftQuery,
    answers: { 200: DraftOut },
    errors: [404, 409, 502],
    handler: async (c) => {
      const ctx = c.get('tenant')
      requireOpenReviews(ctx)
      const { rid } = c.req.valid('param')
      return c.json(await draftReview(ctx, rid, c.req.valid('query').lang ?? null))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/manage/reviews/{rid}/approve',
    layer: 'tenant',
    tag,
    summary:
      'Write the text into a base and ask the question again; without one the last draft, else the unsourced sentences',
    params,
    json: ApproveIn,
    answers: { 200: ReviewOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      requireOpenReviews(ctx)
      const { rid } = c.req.valid('param')
      return c.json(presentReview(await approveReview(ctx, rid, c.req.valid('json'))))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/manage/reviews/{rid}/reject',
    layer: 'tenant',
    tag,
    summary: 'Reject a review: the question is answered as before',
    params,
    answers: { 200: ReviewOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      requireOpenReviews(ctx)
      return c.json(presentReview(await rejectReview(ctx, c.req.valid('param').rid)))
    },
  }),
]
