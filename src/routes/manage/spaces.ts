import * as z from 'zod'
import { PAGES } from '../../config/limits'
import { defineRoute } from '../../http/route'
import { listSessionsOf, type SessionPosition, sessionPosition } from '../../sessions/list-managed'
import {
  presentAgentProfile,
  presentMemory,
  presentSession,
  presentUserDocument,
} from '../../sessions/present-managed'
import {
  AgentProfileOut,
  MemoryOut,
  OwnedSpaceOut,
  SessionPage,
  SpaceOut,
  UserDocumentPage,
} from '../../spaces/manage-schema'
import {
  deleteUserSpace,
  listSpaceAgents,
  offerAgent,
  presentOwnedSpace,
  presentSpace,
  renameUserSpace,
  withdrawAgent,
} from '../../spaces/manage-spaces'
import { SpaceAgentIn, SpaceIn } from '../../spaces/schema'
import { askAsTenant, getSpaceOfTenant } from '../../spaces/user-spaces'
import { nameSought, pageQuery, uuidParam } from '../../wire/fields'
import { readPage } from '../../wire/paging'

const tag = 'Spaces'
const params = z.object({ sid: uuidParam })

export const manageSpaceRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/manage/spaces/{sid}',
    layer: 'tenant',
    tag,
    summary: 'Read a space, and whose it is',
    params,
    answers: { 200: OwnedSpaceOut },
    errors: [404],
    handler: async (c) =>
      c.json(presentOwnedSpace(await getSpaceOfTenant(c.get('tenant'), c.req.valid('param').sid))),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/manage/spaces/{sid}',
    layer: 'tenant',
    tag,
    summary: 'Rename a space',
    params,
    json: SpaceIn,
    answers: { 200: SpaceOut },
    errors: [404, 409],
    handler: async (c) => {
      const { name } = c.req.valid('json')
      const space = await renameUserSpace(c.get('tenant'), c.req.valid('param').sid, name)
      return c.json(presentSpace(space))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/manage/spaces/{sid}',
    layer: 'tenant',
    tag,
    summary: 'Delete a space with its knowledge and sessions; the default space stays',
    params,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      await deleteUserSpace(c.get('tenant'), c.req.valid('param').sid)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/spaces/{sid}/agents',
    layer: 'tenant',
    tag,
    summary: 'Names of the agents that a space offers',
    params,
    answers: { 200: z.array(z.string()) },
    errors: [404],
    handler: async (c) => c.json(await listSpaceAgents(c.get('tenant'), c.req.valid('param').sid)),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/manage/spaces/{sid}/agents',
    layer: 'tenant',
    tag,
    summary: 'Let a space offer an agent',
    params,
    json: SpaceAgentIn,
    answers: { 201: z.array(z.string()) },
    errors: [404],
    idempotent: true,
    handler: async (c) => {
      const { name } = c.req.valid('json')
      return c.json(await offerAgent(c.get('tenant'), c.req.valid('param').sid, name), 201)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/manage/spaces/{sid}/agents/{name}',
    layer: 'tenant',
    tag,
    summary: 'Take an agent out of a space',
    params: params.extend({ name: nameSought }),
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const { sid, name } = c.req.valid('param')
      await withdrawAgent(c.get('tenant'), sid, name)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/spaces/{sid}/documents',
    layer: 'tenant',
    tag,
    summary: 'Documents of a space, the newest first; without names in privacy mode',
    params,
    query: z.object(pageQuery(PAGES.manage)),
    answers: { 200: UserDocumentPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const space = await getSpaceOfTenant(ctx, c.req.valid('param').sid)
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'manage/space-documents',
          filter: space.id,
          read: (before: string | null, limit) =>
            askAsTenant(ctx, space, 'documents', 'list', before, limit),
          position: (view) => view.id,
          present: (view) => presentUserDocument(ctx.tenant, space.id, view),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/spaces/{sid}/memories',
    layer: 'tenant',
    tag,
    summary: 'What is remembered in a space, the latest first; without content in privacy mode',
    params,
    answers: { 200: z.array(MemoryOut) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const space = await getSpaceOfTenant(ctx, c.req.valid('param').sid)
      const views = await askAsTenant(ctx, space, 'memories', 'listAll')
      return c.json(views.map((view) => presentMemory(ctx.tenant, view)))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/spaces/{sid}/profiles',
    layer: 'tenant',
    tag,
    summary: 'What each agent keeps of the user; without content in privacy mode',
    params,
    answers: { 200: z.array(AgentProfileOut) },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const space = await getSpaceOfTenant(ctx, c.req.valid('param').sid)
      const views = await askAsTenant(ctx, space, 'memories', 'list')
      return c.json(
        await Promise.all(views.map((view) => presentAgentProfile(ctx.tenant, space.id, view))),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/spaces/{sid}/sessions',
    layer: 'tenant',
    tag,
    summary: 'Sessions of a space, the latest first',
    params,
    query: z.object(pageQuery(PAGES.manage)),
    answers: { 200: SessionPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const space = await getSpaceOfTenant(ctx, c.req.valid('param').sid)
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'manage/space-sessions',
          filter: space.id,
          read: (after: SessionPosition | null, limit) =>
            listSessionsOf(ctx, [space], after, limit),
          position: ({ view }) => sessionPosition(view),
          present: ({ view }) => presentSession(ctx.tenant, space, view),
        }),
      )
    },
  }),
]
