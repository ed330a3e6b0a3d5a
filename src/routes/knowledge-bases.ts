import * as z from 'zod'
import { LIMITS, PAGES } from '../config/limits'
import { formFiles } from '../http/form'
import { defineRoute } from '../http/route'
import {
  createBase,
  deleteBase,
  getBase,
  getCountedBase,
  listBases,
  patchBase,
} from '../knowledge/bases'
import {
  deleteDocument,
  getDocument,
  listChunks,
  listDocuments,
  reindexDocument,
  searchBase,
} from '../knowledge/documents'
import { readGate } from '../knowledge/gate'
import { type ImportOutcome, importFiles, importUpload } from '../knowledge/import-files'
import { importUrl } from '../knowledge/import-url'
import { presentBase, presentDocument, presentHit } from '../knowledge/present-knowledge'
import {
  BaseIn,
  BaseOut,
  BasePatch,
  ChunkPage,
  DocumentOut,
  DocumentPage,
  ImportResult,
  SearchIn,
  SearchOut,
  SiteBegun,
  SiteImportOut,
  SiteIn,
  TextIn,
  UrlIn,
} from '../knowledge/schema'
import { getSiteImport, startSiteImport } from '../knowledge/site-imports'
import { embedderName } from '../models/embedding'
import { utf8 } from '../platform/crypto/bytes'
import { nameField, pageQuery, uuidParam } from '../wire/fields'
import { readPage } from '../wire/paging'

const tag = 'Knowledge bases'
const params = z.object({ name: nameField })
const documentParams = params.extend({ id: uuidParam })
const query = z.object(pageQuery(PAGES.manage))

export const knowledgeBaseRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases',
    layer: 'tenant',
    tag,
    summary: 'List knowledge bases by name',
    answers: { 200: z.array(BaseOut) },
    handler: async (c) =>
      c.json((await listBases(c.get('tenant'))).map((base) => presentBase(base, base.counts))),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases',
    layer: 'tenant',
    tag,
    summary: 'Create a knowledge base',
    json: BaseIn,
    answers: { 200: BaseOut },
    errors: [409],
    idempotent: true,
    handler: async (c) => {
      const base = await createBase(c.get('tenant'), c.req.valid('json'))
      return c.json(presentBase(base, base.counts))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases/{name}',
    layer: 'tenant',
    tag,
    summary: 'Read a knowledge base with its state',
    params,
    answers: { 200: BaseOut },
    errors: [404],
    handler: async (c) => {
      const base = await getCountedBase(c.get('tenant'), c.req.valid('param').name)
      return c.json(presentBase(base, base.counts))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/knowledge-bases/{name}',
    layer: 'tenant',
    tag,
    summary: 'Rename it or change its instructions; agents and skills follow',
    params,
    json: BasePatch,
    answers: { 200: BaseOut },
    errors: [404, 409],
    handler: async (c) => {
      const base = await patchBase(c.get('tenant'), c.req.valid('param').name, c.req.valid('json'))
      return c.json(presentBase(base, base.counts))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/knowledge-bases/{name}',
    layer: 'tenant',
    tag,
    summary: 'Delete it with its documents and detach it everywhere',
    params,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteBase(c.get('tenant'), c.req.valid('param').name)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases/{name}/search',
    layer: 'tenant',
    tag,
    summary: 'Ask the base a question and see what it finds',
    params,
    json: SearchIn,
    answers: { 200: SearchOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { query: question, k } = c.req.valid('json')
      const base = await getBase(ctx, c.req.valid('param').name)
      const started = Date.now()
      const result = await searchBase(ctx, base, question, k ?? LIMITS.searchK.default)
      const gate = readGate(question, result)
      return c.json({
        query: question,
        hits: result.hits.map(presentHit),
        gate: { open: gate.open, reasons: gate.reasons },
        took_ms: Date.now() - started,
      })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases/{name}/documents',
    layer: 'tenant',
    tag,
    summary: 'List documents, newest first',
    params,
    query,
    answers: { 200: DocumentPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const base = await getBase(ctx, c.req.valid('param').name)
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'documents',
          filter: base.id,
          read: (before: string | null, limit) => listDocuments(ctx, base, before, limit),
          position: (row) => row.id,
          present: (row) => presentDocument(row, base.name, embedderName(ctx.env)),
        }),
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases/{name}/documents/upload',
    layer: 'tenant',
    tag,
    summary: 'Upload documents, or zips of folders: one or more `file`',
    params,
    multipart: true,
    answers: { 200: ImportResult },
    errors: [404, 415],
    rate: 'uploads',
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const base = await getBase(ctx, c.req.valid('param').name)
      const files = await formFiles(c.get('form'))
      return c.json(
        presentImport(await importUpload(ctx, base, files), base.name, embedderName(ctx.env)),
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases/{name}/documents/text',
    layer: 'tenant',
    tag,
    summary: 'Add a text under a title; the same title replaces it',
    params,
    json: TextIn,
    answers: { 200: ImportResult },
    errors: [404],
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { title, text, source_url } = c.req.valid('json')
      const base = await getBase(ctx, c.req.valid('param').name)
      const path = textPath(title)
      const bytes = utf8(text)
      const file = { path, bytes, ...(source_url ? { sourceUrl: source_url } : {}) }
      return c.json(
        presentImport(
          await importFiles(ctx, base, [path], [file]),
          base.name,
          embedderName(ctx.env),
        ),
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases/{name}/documents/url',
    layer: 'tenant',
    tag,
    summary: 'Fetch a public page or file and add it',
    params,
    json: UrlIn,
    answers: { 200: ImportResult },
    errors: [404, 502],
    rate: 'uploads',
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const base = await getBase(ctx, c.req.valid('param').name)
      return c.json(
        presentImport(
          await importUrl(ctx, base, c.req.valid('json').url),
          base.name,
          embedderName(ctx.env),
        ),
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/knowledge-bases/{name}/documents/site',
    layer: 'tenant',
    tag,
    summary: 'Import the pages of a site in the background, at most one request a second',
    params,
    json: SiteIn,
    answers: { 202: SiteBegun },
    errors: [404, 409, 502],
    rate: 'uploads',
    idempotent: true,
    handler: async (c) => {
      const ctx = c.get('tenant')
      const base = await getBase(ctx, c.req.valid('param').name)
      const { id } = await startSiteImport(ctx, base, c.req.valid('json'))
      return c.json({ job_id: id }, 202)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/knowledge-bases/{name}/imports/{job_id}',
    layer: 'tenant',
    tag,
    summary: 'How far the import of a site is, page by page',
    params: params.extend({ job_id: uuidParam }),
    answers: { 200: SiteImportOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { name, job_id } = c.req.valid('param')
      return c.json(await getSiteImport(ctx, await getBase(ctx, name), job_id))
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

function presentImport(outcome: ImportOutcome, baseName: string, embedder: string | null) {
  return {
    imported: outcome.documents.length,
    skipped: outcome.skipped,
    failed: outcome.failed,
    documents: outcome.documents.map((row) => presentDocument(row, baseName, embedder)),
  }
}

const textPath = (title: string): string =>
  `${title
    .normalize('NFC')
    .replaceAll(/[\\/\p{Cc}]/gu, ' ')
    .trim()}.txt`
