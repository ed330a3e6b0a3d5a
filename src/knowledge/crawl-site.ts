import { and, asc, desc, eq, sql } from 'drizzle-orm'
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
import { loadReaders } from '../lazy'
import type { EgressCode } from '../platform/egress-fetch'
import { sendJobs } from '../platform/queue'
import { type ReadPage, tryPage } from './fetch-page'
import { importFiles } from './import-files'
import { fileOf } from './import-url'
import type { Robots } from './read/read-robots'
import { stepOf } from './site-imports'

/** What one request of an import came to. */
interface Outcome {
  row: Partial<SiteImportRow>
  /** The page or site map that was asked for, as it stands now. */
  page?: SitePageRow
  /** Where the page is instead. */
  movedTo?: string
  found?: { url: string; kind: SitePageRow['kind'] }[]
}

const UNREADABLE = 'The robots.txt of the site could not be read. Try again later.'
const REFUSED: Record<EgressCode, string> = {
  unreachable: 'did not answer',
  timeout: 'did not answer in time',
  too_large: 'holds more than 1 MiB',
  too_many_redirects: 'leads on and on',
  url_not_allowed: 'leads to where we may not ask',
}
const FORBIDDEN = 'The robots.txt of the site does not let us read this address.'

/**
 * Makes one request of a site's import, stores what came of it and orders the next one, at the pace that the site asks for
 * and never faster than one a second. A repeat of a step that is done does nothing.
 */
export async function crawlStep(ctx: TenantContext, importId: string, step: number): Promise<void> {
  const row = await findOwn(ctx.db, siteImports, ctx.tenant.id, eq(siteImports.id, importId))
  if (row?.status !== 'running' || row.step !== step) return
  const base = await findOwn(
    ctx.db,
    knowledgeBases,
    ctx.tenant.id,
    eq(knowledgeBases.id, row.baseId),
  )
  if (!base) return
  const readers = await loadReaders()
  if (row.robots === null) return close(ctx, row, await askRobots(ctx, row))
  const robots = readers.readRobots(row.origin, row.robots)
  const page = await nextOf(ctx, row)
  if (!page) return close(ctx, row, { row: { status: 'done' } })
  await close(ctx, row, await visit(ctx, base, row, page, robots), robots.delayS)
}

function nextOf(ctx: TenantContext, row: SiteImportRow): Promise<SitePageRow | undefined> {
  const queued = and(eq(sitePages.importId, row.id), eq(sitePages.status, 'queued'))
  return selectOwn(ctx.db, sitePages, ctx.tenant.id, queued)
    .orderBy(desc(sitePages.kind), asc(sitePages.n))
    .limit(1)
    .get()
}

/** RFC 9309, section 2.3.1: no file allows everything, one that cannot be had allows nothing. */
async function askRobots(ctx: TenantContext, row: SiteImportRow): Promise<Outcome> {
  const answer = await tryPage(ctx.env, `${row.origin}/robots.txt`)
  const text = answer.state === 'read' ? new TextDecoder().decode(answer.bytes) : ''
  const isAbsent = answer.state !== 'read' && answer.status >= 400 && answer.status < 500
  if (answer.state !== 'read' && !isAbsent) return { row: { status: 'failed', error: UNREADABLE } }
  const kept = text.slice(0, SITES.robotsLength)
  const robots = (await loadReaders()).readRobots(row.origin, kept)
  if (!robots.allows(new URL(row.url))) return { row: { status: 'failed', error: FORBIDDEN } }
  const named = robots.sitemaps.slice(0, SITES.mostMaps)
  const maps = named.length > 0 ? named : [new URL('/sitemap.xml', row.origin)]
  return { row: { robots: kept }, found: within(row, robots, maps, 'sitemap') }
}

async function visit(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  row: SiteImportRow,
  page: SitePageRow,
  robots: Robots,
): Promise<Outcome> {
  const answer = await tryPage(ctx.env, page.url)
  const as = (status: SitePageRow['status'], reason: string | null = null, id?: string) => ({
    row: {},
    page: { ...page, status, reason, documentId: id ?? null },
  })
  if (answer.state !== 'read') {
    const { status, code } = answer
    const why = status === 0 ? REFUSED[code ?? 'unreachable'] : `answered with status ${status}`
    return as('failed', `The address ${why}.`)
  }
  if (answer.url.origin !== row.origin) {
    if (await isMove(ctx, row, page, answer.url)) return follow(page, answer.url)
    return as('skipped', 'It leads to another site.')
  }
  const readers = await loadReaders()
  if (page.kind === 'sitemap') {
    const { pages, maps } = readers.readSitemap(answer.bytes)
    const found = [...within(row, robots, maps, 'sitemap'), ...within(row, robots, pages, 'page')]
    return { ...as('skipped'), found }
  }
  const found =
    answer.extension === 'html'
      ? within(row, robots, readers.readLinks(answer.bytes, answer.url), 'page')
      : []
  return { ...(await importPage(ctx, base, answer, as)), found }
}

/** Whether the address that was ordered leads to the same site elsewhere: by https, or with or without "www.". Once. */
async function isMove(
  ctx: TenantContext,
  row: SiteImportRow,
  page: SitePageRow,
  { hostname, origin }: URL,
): Promise<boolean> {
  if (page.n !== 0 || nameOf(hostname) !== nameOf(new URL(row.origin).hostname)) return false
  const running = and(eq(siteImports.origin, origin), eq(siteImports.status, 'running'))
  return !(await findOwn(ctx.db, siteImports, ctx.tenant.id, running))
}

const nameOf = (hostname: string): string => hostname.replace(/^www\./, '')

/** The import goes on there, by the robots.txt and the site maps of that origin. */
const follow = (page: SitePageRow, { href, origin }: URL): Outcome => ({
  row: { url: href, origin, robots: null },
  page: { ...page, n: -1 },
  movedTo: href,
})

async function importPage(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  answer: ReadPage,
  as: (status: SitePageRow['status'], reason?: string | null, id?: string) => Outcome,
): Promise<Outcome> {
  const file = await fileOf(ctx, answer.url, answer)
  const { documents, skipped, failed } = await importFiles(
    ctx,
    base,
    [file.path, file.otherPath],
    [file],
  )
  if (documents[0]) return as('imported', null, documents[0].id)
  if (skipped[0]?.reason === 'unchanged') return as('unchanged')
  return skipped[0] ? as('skipped', skipped[0].reason) : as('failed', failed[0]?.reason ?? null)
}

/** What belongs to a page and not to its text: nothing to ask a site for. */
const PARTS =
  /\.(?:avif|bmp|css|gif|ico|jpe?g|js|json|m4a|mjs|mov|mp[34]|ogg|png|svg|wasm|wav|web[mp]|woff2?|xml|zip|gz|tar|exe|dmg|apk)$/i

function within(
  row: SiteImportRow,
  robots: Robots,
  urls: readonly URL[],
  kind: SitePageRow['kind'],
): { url: string; kind: SitePageRow['kind'] }[] {
  return urls
    .filter((url) => url.origin === row.origin && url.href.length <= SITES.urlLength)
    .filter((url) => kind === 'sitemap' || !PARTS.test(url.pathname))
    .filter((url) => robots.allows(url))
    .map((url) => ({ url: url.href, kind }))
}

/** Stores a step at once, if no other delivery of it was first, and orders the next. */
async function close(
  ctx: TenantContext,
  row: SiteImportRow,
  { row: change, page, movedTo, found = [] }: Outcome,
  delayS: number = SITES.leastDelayS,
): Promise<void> {
  const { db, tenant } = ctx
  const isOurs = sql`EXISTS (SELECT 1 FROM site_imports WHERE id = ${row.id} AND step = ${row.step} AND status = 'running')`
  const count = (kind: SitePageRow['kind']) =>
    sql`(SELECT count(*) FROM site_pages WHERE import_id = ${row.id} AND kind = ${kind})`
  const next = { ...row, ...change, step: row.step + 1, updatedAt: Date.now() }
  await db.batch([
    db
      .update(sitePages)
      .set({
        status: page?.status ?? 'queued',
        reason: page?.reason ?? null,
        documentId: page?.documentId ?? null,
        ...(page && movedTo && { url: movedTo, n: page.n }),
      })
      .where(
        and(
          eq(sitePages.tenantId, tenant.id),
          eq(sitePages.importId, row.id),
          eq(sitePages.url, page?.url ?? ''),
          isOurs,
        ),
      ),
    db
      .insert(sitePages)
      .select(sql`
        SELECT ${row.id}, ${tenant.id}, (SELECT max(n) + 1 FROM site_pages WHERE import_id = ${row.id}) + key,
          value ->> 'kind', value ->> 'url', 'queued', NULL, NULL
        FROM json_each(${JSON.stringify(found.filter(({ kind }) => kind === 'sitemap'))})
        WHERE ${isOurs} AND ${count('sitemap')} + key < ${SITES.mostMaps}`)
      .onConflictDoNothing(),
    db
      .insert(sitePages)
      .select(sql`
        SELECT ${row.id}, ${tenant.id}, (SELECT max(n) + 1 FROM site_pages WHERE import_id = ${row.id}) + key,
          'page', value ->> 'url', 'queued', NULL, NULL
        FROM json_each(${JSON.stringify(found.filter(({ kind }) => kind === 'page'))})
        WHERE ${isOurs} AND value ->> 'url' NOT IN (SELECT url FROM site_pages WHERE import_id = ${row.id})
        LIMIT max(0, ${row.pageLimit} - ${count('page')})`)
      .onConflictDoNothing(),
    db
      .update(siteImports)
      .set({ ...change, step: next.step, updatedAt: next.updatedAt })
      .where(
        and(
          eq(siteImports.tenantId, tenant.id),
          eq(siteImports.id, row.id),
          eq(siteImports.step, row.step),
          eq(siteImports.status, 'running'),
        ),
      ),
  ])
  if (next.status === 'running') await sendJobs(ctx.env, [stepOf(next)], delayS)
}
