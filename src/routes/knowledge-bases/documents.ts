import * as z from 'zod'
import { PAGES } from '../../config/limits'
import { defineRoute } from '../../http/route'
import { getBase } from '../../knowledge/bases'
import {
  deleteDocument,
  getDocument,
  listChunks,
  listDocuments,
  openFile,
  reindexDocument,
} from '../../knowledge/documents'
import { presentDocument } from '../../knowledge/present-knowledge'
import { ChunkPage, DocumentFilterIn, DocumentOut, DocumentPage } from '../../knowledge/schema'
import { embedderName } from '../../models/embedding'
import { nameSought, pageQuery, uuidParam } from '../../wire/fields'
import { readPage } from '../../wire/paging'

const tag = 'Knowledge bases'
const params = z.object({ name: nameSought })
const documentParams = params.extend({ id: uuidParam })
const ORIGINAL = 'application/octet-stream'
const query = z.object(pageQuery(PAGES.manage))

export const documentRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases/{name}/documents',
    layer: 'tenant',
    tag,
    summary: 'List documents, newest first',
    params,
    query: query.extend(DocumentFilterIn),
    answers: { 200: DocumentPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const base = await getBase(ctx, c.req.valid('param').name)
      const { status, q } = c.req.valid('query')
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'documents',
          filter: [base.id, status, q],
          read: (before: string | null, limit) =>
            listDocuments(ctx, base, { status, q }, before, limit),
          position: (row) => row.id,
          present: (row) => presentDocument(row, base.name, embedderName(ctx.env)),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases/{name}/documents/{id}',
    layer: 'tenant',
    tag,
    summary: 'Read a document with its state',
    params: documentParams,
    answers: { 200: DocumentOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { name, id } = c.req.valid('param')
      const base = await getBase(ctx, name)
      return c.json(
        presentDocument(await getDocument(ctx, base, id), base.name, embedderName(ctx.env)),
      )
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/knowledge-bases/{name}/documents/{id}',
    layer: 'tenant',
    tag,
    summary: 'Delete a document',
    params: documentParams,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { name, id } = c.req.valid('param')
      await deleteDocument(ctx, await getBase(ctx, name), id)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases/{name}/documents/{id}/chunks',
    layer: 'tenant',
    tag,
    summary: 'The passages of a document in order',
    params: documentParams,
    query,
    answers: { 200: ChunkPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { name, id } = c.req.valid('param')
      const base = await getBase(ctx, name)
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'chunks',
          filter: id,
          read: (after: number | null, limit) => listChunks(ctx, base, id, after, limit),
          position: (chunk) => chunk.n,
          present: ({ chunkId, n, text, heading, page, start, end }) => ({
            id: chunkId,
            n,
            text,
            heading,
            page,
            start,
            end,
          }),
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases/{name}/documents/{id}/original',
    layer: 'tenant',
    tag,
    summary: 'The file of a document, as it was uploaded or fetched last',
    params: documentParams,
    answers: { 200: { media: ORIGINAL } },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { name: baseName, id } = c.req.valid('param')
      const { name, body } = await openFile(ctx, await getBase(ctx, baseName), id)
      return c.body(body, 200, {
        'Content-Type': ORIGINAL,
        'Cache-Control': 'private, no-store',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases/{name}/documents/{id}/reindex',
    layer: 'tenant',
    tag,
    summary: 'Read the stored file again',
    params: documentParams,
    answers: { 200: DocumentOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { name, id } = c.req.valid('param')
      const base = await getBase(ctx, name)
      return c.json(
        presentDocument(await reindexDocument(ctx, base, id), base.name, embedderName(ctx.env)),
      )
    },
  }),
]
