import * as z from 'zod'
import { withShownNames } from '../../agents/shown-names'
import { defineRoute } from '../../http/route'
import { MyRememberedOut } from '../../memory/schema'
import { askSpace } from '../../spaces/ask-space'
import { forgetRemembered } from '../../spaces/forget-remembered'
import { isoOf } from '../../time'
import { carryVisitor } from '../../users/carry-visitor'
import { nameSought } from '../../wire/fields'

const tag = 'Me: remembered'

export const meRememberedRoutes = [
  defineRoute({
    method: 'GET',
    path: '/me/remembered',
    layer: 'user',
    tag,
    summary: 'What each agent remembers of the caller in this space',
    answers: { 200: z.array(MyRememberedOut) },
    reads: ['Accept-Language'],
    handler: async (c) => {
      const ctx = c.get('user')
      const views = await askSpace(ctx, ctx.space, 'memories', 'list')
      const items = views.map((view) => ({
        agent_name: view.agentName,
        content: view.content,
        points: view.points,
        from_anonymous: view.fromAnonymous,
        updated_at: isoOf(view.updatedAt),
      }))
      return c.json(await withShownNames(ctx, c.req.header('accept-language'), items))
    },
  }),
  // 204: it is carried over in the background.
  defineRoute({
    method: 'POST',
    path: '/me/remembered/carry',
    layer: 'user',
    tag,
    summary: 'Take over what was remembered of an anonymous visitor, for example after a sign-in',
    json: z.object({ anonymous_token: z.string().min(1).max(4096) }),
    answers: { 204: 'empty' },
    errors: [400],
    handler: async (c) => {
      await carryVisitor(c.get('user'), c.req.valid('json').anonymous_token)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me/remembered/{agent_name}',
    layer: 'user',
    tag,
    summary: 'Forget what an agent remembers; sessions stay',
    params: z.object({ agent_name: nameSought }),
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { agent_name } = c.req.valid('param')
      await forgetRemembered(ctx, agent_name)
      return c.body(null, 204)
    },
  }),
]
