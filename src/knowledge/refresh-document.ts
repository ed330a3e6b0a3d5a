import { and, eq, sql } from 'drizzle-orm'
import { REFRESH } from '../config/limits'
import type { TenantContext } from '../context'
import { type DocumentRow, documents, type KnowledgeBaseRow } from '../db/tables/knowledge'
import { tryPage } from './fetch-page'
import { importFiles } from './import-files'
import { fileOf } from './import-url'

/**
 * Asks a document's address for a newer text. What changed replaces the old when it is ready; a page that is gone twice
 * running is marked and stays searchable; a peer that fails is asked again after a part of the base's period.
 */
export async function refreshDocument(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  row: DocumentRow,
): Promise<void> {
  if (base.refresh === 'off' || row.fetchedAt === null || row.sourceUrl === null) return
  const page = await tryPage(ctx.env, row.sourceUrl, row)
  if (page.state === 'refused') {
    const { status, code } = page
    ctx.log.info('refresh_failed', { document_id: row.id, status, code })
    const later = ctx.now + REFRESH.periodMs[base.refresh] / REFRESH.retriesInPeriod
    return save(ctx, row, { fetchAfter: later })
  }
  const answered = { fetchedAt: ctx.now, fetchAfter: 0 }
  if (page.state === 'gone') {
    const missed = row.missed + 1
    const goneAt = row.goneAt ?? (missed >= REFRESH.missesUntilGone ? ctx.now : null)
    return save(ctx, row, { ...answered, missed, goneAt })
  }
  const there = { ...answered, missed: 0, goneAt: null }
  if (page.state !== 'read') return save(ctx, row, there)
  // The path stays what it was, so that it is the same document whatever the answer's type is by now.
  const file = { ...(await fileOf(ctx, new URL(row.sourceUrl), page)), path: row.path }
  await importFiles(ctx, base, [row.path], [file])
  await save(ctx, row, { ...there, ...page.validators })
}

async function save(
  ctx: TenantContext,
  row: DocumentRow,
  change: Partial<DocumentRow>,
): Promise<void> {
  await ctx.db
    .update(documents)
    .set(change)
    .where(
      and(
        eq(documents.tenantId, ctx.tenant.id),
        eq(documents.id, row.id),
        // An upload that took its place meanwhile is no fetched document.
        sql`${documents.fetchedAt} IS NOT NULL`,
      ),
    )
}
