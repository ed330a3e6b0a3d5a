import * as z from 'zod'
import { defineRoute } from '../../http/route'
import { reportUsage } from '../../usage/report-usage'
import { UsageQuery, UsageReport, UserUsage, UserUsageQuery } from '../../usage/schema'
import { reportUserUsage } from '../../usage/user-usage'
import { uuidParam } from '../../wire/fields'

const tag = 'Usage'

export const manageUsageRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/manage/usage',
    layer: 'tenant',
    tag,
    summary:
      'Tokens and events by group; in UTC and whole hours, a week from Monday (ISO 8601). `since` is a time or a span such as `7d`, by default 30 days',
    query: UsageQuery,
    answers: { 200: UsageReport },
    handler: async (c) => {
      const { group, since } = c.req.valid('query')
      return c.json(await reportUsage(c.get('tenant'), group, since))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/users/{uid}/usage',
    layer: 'tenant',
    tag,
    summary: 'What a user used; a point an hour with `hours`, else a point a day (default 30 days)',
    params: z.object({ uid: uuidParam }),
    query: UserUsageQuery,
    answers: { 200: UserUsage },
    errors: [404],
    handler: async (c) =>
      c.json(
        await reportUserUsage(c.get('tenant'), c.req.valid('param').uid, c.req.valid('query')),
      ),
  }),
]
