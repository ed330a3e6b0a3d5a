import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isThere } from '../audit/until-committed'
import type { TenantContext } from '../context'
import { hasText } from '../db/has-text'
import { findOwn, selectOwn } from '../db/own'
import { type DocumentRow, documents, type KnowledgeBaseRow } from '../db/tables/knowledge'
import { notFound } from '../errors'
import { loadThesaurus } from '../language/thesaurus'
import { embed } from '../models/embedding'
import { documentPath } from '../platform/files'
import { goFirst } from '../platform/give-way'
import { sendJobs } from '../platform/queue'
import { knowledgeBase } from '../platform/stubs'
import { askBase } from './ask-base'
import { clearLater, clearSoon } from './clear-data'
import { aloneJob } from './ingestion-jobs'
import { auditDocument, auditPath } from './present-knowledge'
import { createRanker, searchReranked } from './rerank-hits'
import type { SearchResult } from './types'

/** Of which state, and with which letters in its path or its address. */
export interface DocumentFilter {
  status?: DocumentRow['status'] | undefined
  q?: string | undefined
}

/** One more than `limit`, newest first. */
export function listDocuments(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  { status, q }: DocumentFilter,
  before: string | null,
  limit: number,
): Promise<DocumentRow[]> {
  return selectOwn(
    ctx.db,
    documents,
    ctx.tenant.id,
    eq(documents.baseId, base.id),
    status === undefined ? undefined : eq(documents.status, status),
    q === undefined
      ? undefined
      : hasText(sql`${documents.path} || char(10) || coalesce(${documents.sourceUrl}, '')`, q),
    before === null ? undefined : lt(documents.id, before),
  )
    .orderBy(desc(documents.id))
    .limit(limit + 1)
}

/** @throws notFound. */
export async function getDocument(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  id: string,
): Promise<DocumentRow> {
  const row = await findOwn(
    ctx.db,
    documents,
    ctx.tenant.id,
    eq(documents.baseId, base.id),
    eq(documents.id, id),
  )
  if (!row) throw notFound('Document')
  return row
}

/** The file as it was uploaded or fetched last. @throws notFound. */
export async function openFile(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  id: string,
): Promise<{ name: string; body: ReadableStream }> {
  const document = await getDocument(ctx, base, id)
  const file = await ctx.env.FILES.get(documentPath(document))
  if (!file) throw notFound('File')
  return { name: document.name, body: file.body }
}

/** Out of the search at once; its file and vectors go in the background. @throws notFound. */
export async function deleteDocument(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  id: string,
): Promise<void> {
  const before = await getDocument(ctx, base, id)
  const job = {
    type: 'document.delete',
    tenantId: ctx.tenant.id,
    baseId: base.id,
    documentId: id,
  } as const
  await clearLater(ctx.env, job)
  const deleted = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db
        .delete(documents)
        .where(
          and(
            eq(documents.tenantId, ctx.tenant.id),
            eq(documents.baseId, base.id),
            eq(documents.id, id),
          ),
        ),
    ],
    {
      action: 'delete',
      entity: 'document',
      entityId: id,
      entityName: auditPath(before),
      before: auditDocument(before),
      after: null,
      requires: isThere(documents, before),
    },
  )
  if (!deleted) throw notFound('Document')
  await clearSoon(ctx, job)
  await knowledgeBase(ctx.env, ctx.tenant.id, base.id).deleteDocument({
    tenantId: ctx.tenant.id,
    documentId: id,
  })
}

/** Reads the stored file again from the start; what is searched stays until the new text is ready. @throws notFound. */
export async function reindexDocument(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  id: string,
): Promise<DocumentRow> {
  const before = await getDocument(ctx, base, id)
  const after = {
    ...before,
    status: 'queued' as const,
    progress: 0,
    error: null,
    attempts: 0,
    liveVersion: null,
    progressedAt: ctx.now,
    updatedAt: ctx.now,
  }
  const queued = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db
        .update(documents)
        .set({
          status: 'queued',
          progress: 0,
          error: null,
          attempts: 0,
          liveVersion: null,
          progressedAt: ctx.now,
          updatedAt: ctx.now,
        })
        .where(and(eq(documents.tenantId, ctx.tenant.id), eq(documents.id, id))),
    ],
    {
      action: 'update',
      entity: 'document',
      entityId: id,
      entityName: auditPath(before),
      before: auditDocument(before),
      after: auditDocument(after),
      requires: isThere(documents, before),
    },
  )
  if (!queued) throw notFound('Document')
  await sendJobs(ctx.env, [aloneJob(before)])
  return after
}

/** Chunks of the searchable version after number `after`, one more than `limit`. */
export async function listChunks(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  documentId: string,
  after: number | null,
  limit: number,
) {
  await getDocument(ctx, base, documentId)
  const page = await knowledgeBase(ctx.env, ctx.tenant.id, base.id).listChunks({
    tenantId: ctx.tenant.id,
    documentId,
    after: after ?? -1,
    limit: limit + 1,
  })
  return page.chunks
}

/** The same search that a turn makes. A failing embedder leaves the lexical lists. */
export const searchBase = (
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  query: string,
  k: number,
): Promise<SearchResult> => goFirst(() => findPassages(ctx, base, query, k))

async function findPassages(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  query: string,
  k: number,
): Promise<SearchResult> {
  const [embedded] = await Promise.all([
    embed([query], ctx.env).catch((error: unknown) => {
      ctx.log.error('query_embedding_failed', error)
      return null
    }),
    loadThesaurus(),
  ])
  const values = embedded?.vectors[0]
  const search = (most: number) =>
    askBase(ctx.env, ctx.tenant.id, base.id, {
      query,
      k: most,
      ...(embedded && values ? { vector: { embedder: embedded.model, values } } : {}),
    })
  if (!base.rerank) return search(k)
  const caller = { agentId: '', userId: '' }
  const rank = createRanker(ctx.env, ctx.tenant, caller, ctx.log, ctx.waitUntil)
  return searchReranked(search, query, k, rank)
}
