import * as z from 'zod'
import { PAGES } from '../../config/limits'
import { deleteUser } from '../../deletion/delete-user'
import { defineRoute } from '../../http/route'
import {
  listSessionsOf,
  listUserDocuments,
  type SessionPosition,
  sessionPosition,
} from '../../sessions/list-managed'
import { presentSession, presentUserDocument } from '../../sessions/present-managed'
import { SessionPage, SpaceOut, UserDocumentPage } from '../../spaces/manage-schema'
import { createUserSpace, presentSpace } from '../../spaces/manage-spaces'
import { SpaceIn } from '../../spaces/schema'
import { listUserSpaces } from '../../spaces/user-spaces'
import { listUsers, positionOf, presentUser, type UserPosition } from '../../users/list-users'
import { PasswordIn, UserDetail, UserPage, UsersQuery } from '../../users/manage-schema'
import { setPassword } from '../../users/set-password'
import { describeUser } from '../../users/user-detail'
import { pageQuery, uuidParam } from '../../wire/fields'
import { readPage } from '../../wire/paging'

const tag = 'Users'
const params = z.object({ uid: uuidParam })

export const manageUserRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/manage/users',
    layer: 'tenant',
    tag,
    summary:
      'Users, the last active or those with most tokens of the last 24 hours first; `q` is an e-mail address or a part of the external id',
    query: UsersQuery,
    answers: { 200: UserPage },
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { q, sort, ...page } = c.req.valid('query')
      return c.json(
        await readPage(ctx, page, {
          route: 'manage/users',
          filter: { q, sort },
          read: (after: UserPosition | null, limit) => listUsers(ctx, { q, sort }, after, limit),
          position: positionOf(sort),
          present: (row) => presentUser(ctx, row),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/users/{uid}',
    layer: 'tenant',
    tag,
    summary: 'Read a user; counts are exact',
    params,
    answers: { 200: UserDetail },
    errors: [404],
    handler: async (c) => c.json(await describeUser(c.get('tenant'), c.req.valid('param').uid)),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/manage/users/{uid}',
    layer: 'tenant',
    tag,
    summary:
      'Delete a user with all data: the key is destroyed before the answer, the rest follows in the background and ends with an entry of the audit trail',
    params,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteUser(c.get('tenant'), c.req.valid('param').uid)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/manage/users/{uid}/password',
    layer: 'tenant',
    tag,
    summary: 'Set the password of an e-mail account; all its tokens end',
    params,
    json: PasswordIn,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      const { new_password } = c.req.valid('json')
      await setPassword(c.get('tenant'), c.req.valid('param').uid, new_password)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/manage/users/{uid}/spaces',
    layer: 'tenant',
    tag,
    summary: 'Create a space for a user',
    params,
    json: SpaceIn,
    answers: { 200: SpaceOut },
    errors: [404, 409],
    idempotent: true,
    handler: async (c) => {
      const { name } = c.req.valid('json')
      const space = await createUserSpace(c.get('tenant'), c.req.valid('param').uid, name)
      return c.json(presentSpace(space))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/users/{uid}/sessions',
    layer: 'tenant',
    tag,
    summary: 'Sessions of all spaces of a user, the latest first; no message content',
    params,
    query: z.object(pageQuery(PAGES.manage)),
    answers: { 200: SessionPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { uid } = c.req.valid('param')
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'manage/user-sessions',
          filter: uid,
          read: async (after: SessionPosition | null, limit) =>
            listSessionsOf(ctx, await listUserSpaces(ctx, uid), after, limit),
          position: ({ view }) => sessionPosition(view),
          present: ({ space, view }) => presentSession(ctx.tenant, space, view),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/manage/users/{uid}/documents',
    layer: 'tenant',
    tag,
    summary: 'Documents of all spaces of a user, the newest first; without names in privacy mode',
    params,
    query: z.object(pageQuery(PAGES.manage)),
    answers: { 200: UserDocumentPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { uid } = c.req.valid('param')
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'manage/user-documents',
          filter: uid,
          read: (before: string | null, limit) => listUserDocuments(ctx, uid, before, limit),
          position: ({ view }) => view.id,
          present: ({ space, view }) => presentUserDocument(ctx.tenant, space.id, view),
        }),
      )
    },
  }),
]
