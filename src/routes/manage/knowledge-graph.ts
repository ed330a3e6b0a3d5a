import * as z from 'zod'
import { defineRoute } from '../../http/route'
import { findSpaces } from '../../knowledge-graph/collect-items'
import { drawGraph, readGraphItem } from '../../knowledge-graph/draw-graph'
import { GraphItemOut, GraphOut, GraphQuery, ItemQuery, itemId } from '../../knowledge-graph/schema'
import { streamGraph } from '../../knowledge-graph/stream-graph'
import { uuidParam } from '../../wire/fields'
import { SSE_HEADERS } from '../../wire/sse'

const tag = 'Users'

export const manageKnowledgeGraphRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/manage/users/{uid}/knowledge-graph',
    layer: 'tenant',
    tag,
    summary:
      'A map in three dimensions of what is known of a user: memories, and passages of documents in the user’s spaces. `stream=true` answers with progress as server-sent events; without content in privacy mode',
    params: z.object({ uid: uuidParam }),
    query: GraphQuery,
    answers: { 200: GraphOut },
    errors: [404],
    streams: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { uid } = c.req.valid('param')
      const { source, space_id, limit, q, refresh, stream } = c.req.valid('query')
      const selection = { userId: uid, spaceId: space_id ?? null, source, limit, query: q }
      if (!stream) return c.json(await drawGraph(ctx, selection, refresh, async () => undefined))
      // Refused before the first byte, where it can still be a status.
      await findSpaces(ctx, selection)
      const events = streamGraph(
        (onProgress) => drawGraph(ctx, selection, refresh, onProgress),
        ctx.log,
      )
      return c.body(events, 200, SSE_HEADERS)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/users/{uid}/knowledge-graph/items/{item_id}',
    layer: 'tenant',
    tag,
    summary:
      'One item of the map with its text and its neighbours; without content in privacy mode',
    params: z.object({ uid: uuidParam, item_id: itemId }),
    query: ItemQuery,
    answers: { 200: GraphItemOut },
    errors: [404],
    handler: async (c) => {
      const { uid, item_id } = c.req.valid('param')
      return c.json(await readGraphItem(c.get('tenant'), uid, item_id, c.req.valid('query').source))
    },
  }),
]
