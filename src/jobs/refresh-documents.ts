import { and, eq, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import { REFRESH, SECOND_MS } from '../config/limits'
import { openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { documents, knowledgeBases } from '../db/tables/knowledge'
import { tenants } from '../db/tables/tenants'
import { refreshDocument } from '../knowledge/refresh-document'
import { sendJobs } from '../platform/queue'
import { createTenantContext } from '../platform/system-actor'
import type { JobOf } from './job'

/** Asks the address of one document again. Safe to run twice: what did not change changes nothing. */
export async function refreshOne(env: Env, job: JobOf<'document.refresh'>): Promise<void> {
  const ctx = await createTenantContext(env, 'refresh', job.tenantId)
  if (!ctx) return
  const row = await findOwn(ctx.db, documents, job.tenantId, eq(documents.id, job.documentId))
  if (!row) return
  const base = await findOwn(
    ctx.db,
    knowledgeBases,
    job.tenantId,
    eq(knowledgeBases.id, row.baseId),
  )
  if (base) await refreshDocument(ctx, base, row)
}

/**
 * Starts what is due by the schedule of its base, the longest waiting first. Of one origin one request a second: it is
 * asked for no more than fits before the next call of this duty.
 */
export async function refreshDue(env: Env, now: number): Promise<void> {
  const db = openPrimary(env.DB)
  const { daily, weekly } = REFRESH.periodMs
  const due = await db
    .select({
      tenantId: documents.tenantId,
      documentId: documents.id,
      url: sql<string>`${documents.sourceUrl}`,
    })
    .from(knowledgeBases)
    // In this order: left to itself SQLite begins with every document that there is.
    .crossJoin(documents)
    .innerJoin(tenants, eq(tenants.id, knowledgeBases.tenantId))
    .where(
      and(
        eq(tenants.status, 'active'),
        ne(knowledgeBases.refresh, 'off'),
        eq(documents.tenantId, knowledgeBases.tenantId),
        eq(documents.baseId, knowledgeBases.id),
        lt(
          documents.fetchedAt,
          sql`${now} - CASE ${knowledgeBases.refresh} WHEN 'daily' THEN ${daily} ELSE ${weekly} END`,
        ),
        lte(documents.fetchAfter, now),
        inArray(documents.status, ['ready', 'failed']),
      ),
    )
    .orderBy(documents.fetchedAt)
    .limit(REFRESH.atOnce)
  const waves = inWaves(due)
  const claimed = JSON.stringify(waves.flat().map(({ documentId }) => documentId))
  await db
    .update(documents)
    .set({ fetchAfter: now + REFRESH.claimMs })
    .where(sql`${documents.id} IN (SELECT value FROM json_each(${claimed}))`)
  for (const [second, wave] of waves.entries()) {
    await sendJobs(
      env,
      wave.map(({ tenantId, documentId }) => ({ type: 'document.refresh', tenantId, documentId })),
      second,
    )
  }
}

/** One of each origin in a wave, as many waves as there are seconds until the next call. */
function inWaves<Due extends { url: string }>(due: readonly Due[]): Due[][] {
  const waves: Due[][] = []
  const counts = new Map<string, number>()
  for (const one of due) {
    const origin = URL.parse(one.url)?.origin ?? ''
    const nth = counts.get(origin) ?? 0
    if (nth >= REFRESH.everyMs / SECOND_MS) continue
    counts.set(origin, nth + 1)
    const wave = waves[nth]
    if (wave) wave.push(one)
    else waves.push([one])
  }
  return waves
}
