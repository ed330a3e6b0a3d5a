import * as z from 'zod'
import { openReplica } from '../db/client'
import { uuidParam } from '../http/fields'
import { defineRoute } from '../http/route'
import { mintAnonymousToken } from '../users/anonymous'
import { TokenOut } from '../users/schema'

const tag = 'End-user authentication'

export const authRoutes = [
  defineRoute({
    method: 'POST',
    path: '/auth/anonymous',
    also: ['/v1/auth/anonymous'],
    layer: 'public',
    tag,
    summary: 'A token for a visitor without an account',
    json: z.object({ tenant_id: uuidParam, agent: z.string().max(64).nullable().optional() }),
    answers: { 200: TokenOut },
    errors: [403, 404, 429],
    rate: 'anonymous',
    handler: async (c) => {
      const base = c.get('base')
      return c.json(
        await mintAnonymousToken(base, openReplica(base.env.DB), c.req.valid('json').tenant_id),
      )
    },
  }),
]
