import * as z from 'zod'
import { PAGES } from '../../config/limits'
import { defineRoute } from '../../http/route'
import { type SessionPosition, sessionPosition } from '../../sessions/list-managed'
import { presentMySession, presentSearchHit } from '../../sessions/present-session'
import { askSpace } from '../../spaces/ask-space'
import { mergeSpace } from '../../spaces/merge-space'
import {
  MySessionPage,
  MySessionSearchHit,
  MySpaceOut,
  SpaceAgentIn,
  SpaceIn,
  SpaceMergeIn,
} from '../../spaces/schema'
import {
  addSpaceAgent,
  agentNamesOf,
  createSpace,
  deleteSpace,
  getSpace,
  identifySpace,
  listSpaces,
  presentMySpace,
  removeSpaceAgent,
  renameSpace,
} from '../../spaces/spaces'
import { nameSought, pageQuery, uuidParam } from '../../wire/fields'
import { readPage } from '../../wire/paging'

const tag = 'Me: spaces'
const params = z.object({ sid: uuidParam })

export const meSpaceRoutes = [
  defineRoute({
    method: 'GET',
    path: '/me/spaces',
    layer: 'user',
    tag,
    summary: 'List spaces, oldest first',
    answers: { 200: z.array(MySpaceOut) },
    handler: async (c) => {
      const ctx = c.get('user')
      const rows = await listSpaces(ctx)
      const naming = agentNamesOf(ctx, rows)
      return c.json(await Promise.all(rows.map((row) => presentMySpace(ctx, row, naming))))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/spaces',
    layer: 'user',
    tag,
    summary: 'Create a space',
    json: SpaceIn,
    answers: { 201: MySpaceOut },
    errors: [409],
    rate: 'spaces',
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('user')
      const row = await createSpace(ctx, c.req.valid('json').name)
      return c.json(await presentMySpace(ctx, row), 201)
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/me/spaces/{sid}',
    layer: 'user',
    tag,
    summary: 'Rename a space',
    params,
    json: SpaceIn,
    answers: { 200: MySpaceOut },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const row = await renameSpace(ctx, c.req.valid('param').sid, c.req.valid('json').name)
      return c.json(await presentMySpace(ctx, row))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me/spaces/{sid}',
    layer: 'user',
    tag,
    summary: 'Delete a space with all it holds; the default space stays',
    params,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      await deleteSpace(c.get('user'), c.req.valid('param').sid)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/spaces/{sid}/merge',
    layer: 'user',
    tag,
    summary:
      'Move all that a space holds into another one and delete it, all or nothing; its ids go on leading to what they led to',
    params,
    json: SpaceMergeIn,
    answers: { 204: 'empty' },
    errors: [404, 409, 503],
    handler: async (c) => {
      const { target_space_id } = c.req.valid('json')
      await mergeSpace(c.get('user'), c.req.valid('param').sid, target_space_id)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/spaces/{sid}/agents',
    layer: 'user',
    tag,
    summary: 'Let a space offer an agent',
    params,
    json: SpaceAgentIn,
    answers: { 201: z.array(z.string()) },
    errors: [404],
    idempotent: true,
    handler: async (c) =>
      c.json(
        await addSpaceAgent(c.get('user'), c.req.valid('param').sid, c.req.valid('json').name),
        201,
      ),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me/spaces/{sid}/agents/{name}',
    layer: 'user',
    tag,
    summary: 'Take an agent out of a space',
    params: params.extend({ name: nameSought }),
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const { sid, name } = c.req.valid('param')
      await removeSpaceAgent(c.get('user'), sid, name)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/me/spaces/{sid}/sessions',
    layer: 'user',
    tag,
    summary: 'Sessions of a space, newest first',
    params,
    query: z.object(pageQuery(PAGES.sessions)),
    answers: { 200: MySessionPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const space = identifySpace(await getSpace(ctx, c.req.valid('param').sid))
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'me/sessions',
          filter: space.id,
          read: (after: SessionPosition | null, limit) =>
            askSpace(ctx, space, 'sessions', 'list', after, limit),
          position: sessionPosition,
          present: (view) => presentMySession(view, space.id),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/me/spaces/{sid}/sessions/search',
    layer: 'user',
    tag,
    summary: 'Find sessions by title or by what was said',
    params,
    query: z.object({ q: z.string().max(200).default(''), agent: nameSought.optional() }),
    answers: { 200: z.array(MySessionSearchHit) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const space = identifySpace(await getSpace(ctx, c.req.valid('param').sid))
      const { q, agent = null } = c.req.valid('query')
      const hits = await askSpace(ctx, space, 'sessions', 'search', q, agent)
      return c.json(hits.map(presentSearchHit))
    },
  }),
]
