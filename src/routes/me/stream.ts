import { defineRoute } from '../../http/route'
import { openStream } from '../../streams/open-stream'
import { readLastEventId, SSE_HEADERS } from '../../wire/sse'

export const meStreamRoutes = [
  defineRoute({
    method: 'GET',
    path: '/me/stream',
    layer: 'user',
    tag: 'Me: pushes',
    summary:
      'Pushes to this user and space as server-sent events: reminders, follow-ups and what changed elsewhere; `Last-Event-ID` replays what was missed within 24 hours',
    reads: ['Last-Event-ID'],
    answers: { 200: { media: 'text/event-stream' } },
    takesEffect: true,
    errors: [409],
    handler: async (c) => {
      const ctx = c.get('user')
      const lastEventId = readLastEventId(c.req.header('last-event-id'))
      return c.body(await openStream(ctx, lastEventId), 200, SSE_HEADERS)
    },
  }),
]
