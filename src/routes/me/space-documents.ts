import type { HonoRequest } from 'hono'
import * as z from 'zod'
import { BODY_LIMITS, PAGES } from '../../config/limits'
import { ApiError } from '../../errors'
import { formFile } from '../../http/form'
import { readMultipart } from '../../http/multipart'
import { defineRoute } from '../../http/route'
import { readJson } from '../../http/validate-json'
import { DocumentOut, DocumentPage } from '../../knowledge/schema'
import { askSpace } from '../../spaces/ask-space'
import {
  addSpaceFile,
  addSpaceText,
  presentSpaceDocument,
  SpaceTextIn,
} from '../../spaces/space-documents'
import { getSpace, identifySpace } from '../../spaces/spaces'
import { pageQuery, uuidParam } from '../../wire/fields'
import { readPage } from '../../wire/paging'

const tag = 'Me: spaces'
const params = z.object({ sid: uuidParam })
const FORM = /^multipart\/form-data\s*;/i

export const meSpaceDocumentRoutes = [
  defineRoute({
    method: 'GET',
    path: '/me/spaces/{sid}/documents',
    layer: 'user',
    tag,
    summary: 'Documents of a space, newest first',
    params,
    query: z.object(pageQuery(PAGES.manage)),
    answers: { 200: DocumentPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('user')
      const space = identifySpace(await getSpace(ctx, c.req.valid('param').sid))
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'me/documents',
          filter: space.id,
          read: (before: string | null, limit) =>
            askSpace(ctx, space, 'documents', 'list', before, limit),
          position: (view) => view.id,
          present: (view) => presentSpaceDocument(view, space.id),
        }),
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/me/spaces/{sid}/documents',
    layer: 'user',
    tag,
    summary:
      'Add a document to a space: a multipart `file`, or JSON with `title` and `text`. Replaces its namesake',
    params,
    body: SpaceTextIn,
    bodyLimit: BODY_LIMITS.multipart,
    answers: { 201: DocumentOut },
    errors: [404, 409, 415],
    rate: 'uploads',
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('user')
      const isForm = FORM.test(c.req.header('content-type') ?? '')
      const input = isForm ? await readFile(c.req) : await readJson(c, SpaceTextIn)
      const space = identifySpace(await getSpace(ctx, c.req.valid('param').sid))
      const view =
        'bytes' in input
          ? await addSpaceFile(ctx, space, input)
          : await addSpaceText(ctx, space, input)
      return c.json(presentSpaceDocument(view, space.id), 201)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me/spaces/{sid}/documents/{id}',
    layer: 'user',
    tag,
    summary: 'Delete a document of a space',
    params: params.extend({ id: uuidParam }),
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      const ctx = c.get('user')
      const { sid, id } = c.req.valid('param')
      const space = identifySpace(await getSpace(ctx, sid))
      await askSpace(ctx, space, 'documents', 'remove', id)
      return c.body(null, 204)
    },
  }),
]

async function readFile(request: HonoRequest) {
  const form = await readMultipart(request).catch(() => {
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body'], msg: 'Value error, the multipart form cannot be read' },
    ])
  })
  return formFile(form)
}
