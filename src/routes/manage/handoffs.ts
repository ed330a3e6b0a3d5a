import * as z from 'zod'
import { listHandoffs, replyToUser, resumeAgent } from '../../handoffs/handoffs'
import { HandoffOut, HandoffPage, HandoffQuery, ReplyIn } from '../../handoffs/schema'
import { readRepeat } from '../../http/idempotency'
import { defineRoute } from '../../http/route'
import { requireReadable } from '../../sessions/list-managed'
import { uuidParam } from '../../wire/fields'

const tag = 'Handoffs'
const params = z.object({ sid: uuidParam })

/** All of them are 403 in privacy mode, like reading. */
export const manageHandoffRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/manage/handoffs',
    layer: 'tenant',
    tag,
    summary: 'Conversations that wait for a person, or were answered by one, newest first',
    query: HandoffQuery,
    answers: { 200: HandoffPage },
    handler: async (c) => {
      const ctx = c.get('tenant')
      requireReadable(ctx)
      return c.json(await listHandoffs(ctx, c.req.valid('query')))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/manage/sessions/{sid}/reply',
    layer: 'tenant',
    tag,
    summary:
      'Answer the user in the place of the agent, which stays silent; 409 where nobody was asked for',
    params,
    json: ReplyIn,
    // What the user said goes with the user, and is not read in privacy mode.
    idempotent: { redacted: ['summary'] },
    answers: { 200: HandoffOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      requireReadable(ctx)
      const { sid } = c.req.valid('param')
      const { text } = c.req.valid('json')
      // The object knows what it said, also where its answer was lost and the key was given up.
      const repeat = await readRepeat(c.req.raw.headers, ctx, 'reply', [sid, text])
      const once = repeat && repeat.key + repeat.bodyHash
      return c.json(await replyToUser(ctx, sid, text, once))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/manage/sessions/{sid}/resume',
    layer: 'tenant',
    tag,
    summary:
      'Hand the conversation back to the agent, which says so; 409 where nobody was asked for',
    params,
    answers: { 200: HandoffOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      requireReadable(ctx)
      return c.json(await resumeAgent(ctx, c.req.valid('param').sid))
    },
  }),
]
