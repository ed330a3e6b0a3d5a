import * as z from 'zod'
import { formFiles } from '../../http/form'
import { defineRoute } from '../../http/route'
import { getBase } from '../../knowledge/bases'
import { type ImportOutcome, importFiles, importUpload } from '../../knowledge/import-files'
import { importUrl } from '../../knowledge/import-url'
import { presentDocument } from '../../knowledge/present-knowledge'
import {
  ImportResult,
  SiteBegun,
  SiteImportOut,
  SiteIn,
  TextIn,
  UrlIn,
} from '../../knowledge/schema'
import { getSiteImport, startSiteImport } from '../../knowledge/site-imports'
import { embedderName } from '../../models/embedding'
import { utf8 } from '../../platform/crypto/bytes'
import { textName } from '../../platform/uploads/file-name'
import { nameSought, uuidParam } from '../../wire/fields'

const tag = 'Knowledge bases'
const params = z.object({ name: nameSought })

export const importRoutes = [
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
      const path = textName(title)
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
]

function presentImport(outcome: ImportOutcome, baseName: string, embedder: string | null) {
  return {
    imported: outcome.documents.length,
    skipped: outcome.skipped,
    failed: outcome.failed,
    documents: outcome.documents.map((row) => presentDocument(row, baseName, embedder)),
  }
}
