import * as z from 'zod'
import { PAGES } from '../../config/limits'
import { defineRoute } from '../../http/route'
import { requireReadable } from '../../sessions/list-managed'
import { presentAttachmentFacts, presentSession } from '../../sessions/present-managed'
import { presentMessage } from '../../sessions/present-session'
import { AttachmentOut, MessagePage, SessionOut } from '../../spaces/manage-schema'
import { askAsTenant, findSpaceOfSession } from '../../spaces/user-spaces'
import { pageQuery, uuidParam } from '../../wire/fields'
import { readPage } from '../../wire/paging'

const tag = 'Sessions'
const params = z.object({ sid: uuidParam })

export const manageSessionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/manage/sessions/{sid}',
    layer: 'tenant',
    tag,
    summary: 'Read a session without its messages; without its title in privacy mode',
    params,
    answers: { 200: SessionOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { sid } = c.req.valid('param')
      const space = await findSpaceOfSession(ctx, sid)
      const view = await askAsTenant(ctx, space, 'sessions', 'get', sid)
      return c.json(presentSession(ctx.tenant, space, view))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/sessions/{sid}/messages',
    layer: 'tenant',
    tag,
    summary:
      'The latest messages in chronological order; `cursor` leads to the ones before them, privacy mode refuses with 403',
    params,
    query: z.object(pageQuery(PAGES.messages)),
    answers: { 200: MessagePage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { sid } = c.req.valid('param')
      requireReadable(ctx)
      const page = await readPage(ctx, c.req.valid('query'), {
        route: 'manage/messages',
        filter: sid,
        async read(before: string | null, limit) {
          const space = await findSpaceOfSession(ctx, sid)
          const views = await askAsTenant(ctx, space, 'messages', 'list', sid, limit + 1, before)
          return views.toReversed()
        },
        position: (view) => view.id,
        present: (view) => presentMessage(view, () => true),
      })
      return c.json({ ...page, items: page.items.toReversed() })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/sessions/{sid}/attachments',
    layer: 'tenant',
    tag,
    summary: 'Attachments of a session, without their bytes; 403 in privacy mode',
    params,
    answers: { 200: z.array(AttachmentOut) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { sid } = c.req.valid('param')
      requireReadable(ctx)
      const space = await findSpaceOfSession(ctx, sid)
      const views = await askAsTenant(ctx, space, 'sessions', 'listImages', sid)
      return c.json(views.map(presentAttachmentFacts))
    },
  }),
]
