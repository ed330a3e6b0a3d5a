import { and, asc, eq } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isThere } from '../audit/until-committed'
import { SITES } from '../config/limits'
import type { TenantContext } from '../context'
import { findOwn, selectOwn } from '../db/own'
import {
  type KnowledgeBaseRow,
  knowledgeBases,
  type SiteImportRow,
  type SitePageRow,
  siteImports,
  sitePages,
} from '../db/tables/knowledge'
import { egressContext } from '../domains/egress-context'
import { ApiError, conflict, notFound, upstreamFailed } from '../errors'
import { assertUrlAllowed } from '../platform/egress'
import { EgressError } from '../platform/egress-fetch'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { isoOf } from '../time'
import { withoutQuery } from './present-knowledge'
import type { SiteIn } from './schema'

/**
 * Begins to import the pages of a site in the background: those of its site maps, and what its pages link to, within the
 * address' origin. @throws ApiError 422 for a refused address, 409 while another import of the tenant is at this site.
 */
export async function startSiteImport(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  { url: address, limit }: SiteIn,
): Promise<SiteImportRow> {
  const url = await allowedUrl(ctx, address)
  const row: SiteImportRow = {
    id: newId(ctx.now),
    tenantId: ctx.tenant.id,
    baseId: base.id,
    url: url.href,
    origin: url.origin,
    pageLimit: limit ?? SITES.defaultPages,
    status: 'running',
    error: null,
    robots: null,
    step: 0,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const running = and(eq(siteImports.origin, url.origin), eq(siteImports.status, 'running'))
  if (await findOwn(ctx.db, siteImports, ctx.tenant.id, running)) throw isRunning()
  const first = { importId: row.id, tenantId: row.tenantId, n: 0, kind: 'page', url: row.url }
  const begun = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db.insert(siteImports).values(row),
      ctx.db.insert(sitePages).values({ ...first, kind: 'page', status: 'queued' }),
    ],
    {
      action: 'import',
      entity: 'document',
      entityId: row.id,
      entityName: withoutQuery(row.url),
      before: null,
      after: { knowledge_base: base.name, url: withoutQuery(row.url), limit: row.pageLimit },
      requires: isThere(knowledgeBases, base),
    },
  ).catch(async (error: unknown) => {
    if (await findOwn(ctx.db, siteImports, ctx.tenant.id, running)) throw isRunning()
    throw error
  })
  if (!begun) throw notFound('Knowledge base')
  await sendJobs(ctx.env, [stepOf(row)])
  return row
}

/** The job that makes the next request of an import. */
export const stepOf = ({ tenantId, id, step }: Pick<SiteImportRow, 'tenantId' | 'id' | 'step'>) =>
  ({ type: 'site.crawl', tenantId, importId: id, step }) as const

const isRunning = () =>
  conflict('Another import of this site is running; wait until it is done', 'import_running')

async function allowedUrl(ctx: TenantContext, address: string): Promise<URL> {
  try {
    const url = await assertUrlAllowed(egressContext(ctx.env), address)
    url.hash = ''
    return url
  } catch (error) {
    const code = error instanceof EgressError ? error.code : undefined
    if (code !== 'url_not_allowed') throw upstreamFailed(error, code)
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body', 'url'], msg: 'URL is not allowed' },
    ])
  }
}

/** @throws notFound. */
export async function getSiteImport(ctx: TenantContext, base: KnowledgeBaseRow, id: string) {
  const own = and(eq(siteImports.baseId, base.id), eq(siteImports.id, id))
  const row = await findOwn(ctx.db, siteImports, ctx.tenant.id, own)
  if (!row) throw notFound('Import')
  const pages = await selectOwn(
    ctx.db,
    sitePages,
    ctx.tenant.id,
    and(eq(sitePages.importId, id), eq(sitePages.kind, 'page')),
  ).orderBy(asc(sitePages.n))
  return presentSiteImport(row, pages)
}

function presentSiteImport(row: SiteImportRow, pages: readonly SitePageRow[]) {
  const count = (status: SitePageRow['status']) =>
    pages.filter((page) => page.status === status).length
  return {
    job_id: row.id,
    url: row.url,
    limit: row.pageLimit,
    status: row.status,
    error: row.error,
    queued: count('queued'),
    imported: count('imported'),
    unchanged: count('unchanged'),
    skipped: count('skipped'),
    failed: count('failed'),
    pages: pages.map(({ url, status, reason, documentId }) => ({
      url,
      status,
      reason,
      document_id: documentId,
    })),
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  }
}
