import { and, eq, lt, ne } from 'drizzle-orm'
import { SITES } from '../config/limits'
import { openPrimary } from '../db/client'
import { siteImports } from '../db/tables/knowledge'
import { crawlStep } from '../knowledge/crawl-site'
import { stepOf } from '../knowledge/site-imports'
import { sendJobs } from '../platform/queue'
import { createTenantContext } from '../platform/system-actor'
import type { JobOf } from './job'

export async function crawlSite(env: Env, job: JobOf<'site.crawl'>): Promise<void> {
  const ctx = await createTenantContext(env, 'crawl', job.tenantId)
  if (ctx) await crawlStep(ctx, job.importId, job.step)
}

/** Takes up imports that stand still: the job of their next request was lost with its worker. */
export async function watchSites(env: Env, now: number): Promise<void> {
  const still = await openPrimary(env.DB)
    .update(siteImports)
    .set({ updatedAt: now })
    .where(and(eq(siteImports.status, 'running'), lt(siteImports.updatedAt, now - SITES.stallMs)))
    .returning({ id: siteImports.id, tenantId: siteImports.tenantId, step: siteImports.step })
  await sendJobs(env, still.map(stepOf))
}

/** What came of an import can be read for thirty days; its pages go with it. */
export async function purgeSites(env: Env, now: number): Promise<void> {
  const isOld = lt(siteImports.updatedAt, now - SITES.keptMs)
  await openPrimary(env.DB)
    .delete(siteImports)
    .where(and(ne(siteImports.status, 'running'), isOld))
}
