import { and, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isThere } from '../audit/until-committed'
import { REVIEWS } from '../config/limits'
import type { TenantContext } from '../context'
import {
  type DocumentRow,
  documents,
  type KnowledgeBaseRow,
  knowledgeBases,
} from '../db/tables/knowledge'
import { reviews } from '../db/tables/reviews'
import { invalid, notFound } from '../errors'
import { getBase } from '../knowledge/bases'
import { NO_VECTORS } from '../knowledge/embed-version'
import { NOT_FETCHED } from '../knowledge/fetch-page'
import { aloneJob } from '../knowledge/ingestion-jobs'
import { sha256, toHex, utf8 } from '../platform/crypto/bytes'
import { documentPath, storeFile } from '../platform/files'
import { sendJobs } from '../platform/queue'
import { tenantKey } from '../platform/secrets'
import { cutText } from '../text/cut'
import {
  alreadyDecided,
  getPendingReview,
  getReadableReview,
  getReview,
  type OpenReview,
  type ReadableReview,
} from './find-review'
import { auditReview } from './present-review'
import { openDraft } from './review-texts'
import type { ApproveIn } from './schema'
import { verifyReview } from './verify-review'

/**
 * Writes the approved text into the base as a document and marks the review, in one step; then waits until the document
 * is searchable and asks the question again. What takes longer than 15 s, or is cut off, a job finishes.
 * @throws notFound for the review or the base; conflict when decided or unreadable; 422 when there is no text to approve.
 */
export async function approveReview(
  ctx: TenantContext,
  id: string,
  input: ApproveIn,
): Promise<OpenReview> {
  const review = await getReadableReview(ctx, id)
  const base = await getBase(ctx, input.kb_name)
  const text = await textOf(ctx, review, input)
  const wanted = input.title?.replaceAll(/\s+/gu, ' ').trim() || review.question
  const title = cutText(wanted, REVIEWS.titleLength)
  const bytes = utf8(`# ${title}\n\n${text}\n`)
  const document = await documentFor(ctx, base, review, title, bytes)
  await storeFile(ctx.env.FILES, documentPath(document), bytes)
  await commit(ctx, review, base, document)
  await sendJobs(ctx.env, [aloneJob(document)])
  await sendJobs(
    ctx.env,
    [{ type: 'review.verify', tenantId: ctx.tenant.id, reviewId: id }],
    REVIEWS.verifyDelayS,
  )
  await waitAndVerify(ctx, id)
  return getReview(ctx, id)
}

/** The text sent, else the last draft, else the sentences that had no source: approving says that they are true. */
async function textOf(
  ctx: TenantContext,
  review: ReadableReview,
  input: ApproveIn,
): Promise<string> {
  const sent = input.text?.trim()
  if (sent) return sent
  const draft = await openDraft(await tenantKey(ctx.config, ctx.tenant), review.row)
  if (draft) return draft
  const unsourced = review.body.unsourced.join(' ').trim()
  if (unsourced !== '') return unsourced
  throw invalid(['body', 'text'], 'there is no draft to approve; send the text')
}

/** The document has the review's id: whatever is repeated, a review makes one document. No word of a user in its path. */
async function documentFor(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  { row }: OpenReview,
  title: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<DocumentRow> {
  return {
    id: row.id,
    tenantId: ctx.tenant.id,
    baseId: base.id,
    path: `reviews/${row.id}.md`,
    name: title,
    kind: 'md',
    mime: 'text/markdown',
    sizeBytes: bytes.length,
    version: toHex(await sha256(bytes)),
    edition: 0,
    liveVersion: null,
    status: 'queued',
    progress: 0,
    error: null,
    attempts: 0,
    chunkCount: 0,
    sourceUrl: null,
    progressedAt: ctx.now,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    ...NO_VECTORS,
    ...NOT_FETCHED,
  }
}

async function commit(
  ctx: TenantContext,
  review: OpenReview,
  base: KnowledgeBaseRow,
  document: DocumentRow,
): Promise<void> {
  const { row } = review
  const after = {
    ...row,
    status: 'approved' as const,
    baseId: base.id,
    documentId: document.id,
    documentVersion: document.version,
    decidedAt: ctx.now,
  }
  const committed = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db.insert(documents).values(document),
      ctx.db
        .update(reviews)
        .set({
          status: after.status,
          baseId: after.baseId,
          documentId: after.documentId,
          documentVersion: after.documentVersion,
          decidedAt: after.decidedAt,
        })
        .where(and(eq(reviews.tenantId, ctx.tenant.id), eq(reviews.id, row.id))),
    ],
    {
      action: 'approve',
      entity: 'review',
      entityId: row.id,
      entityName: null,
      before: auditReview(review),
      after: auditReview({ row: after, agentName: review.agentName, baseName: base.name }),
      requires: sql`${isThere(knowledgeBases, base)} AND EXISTS (
        SELECT 1 FROM reviews WHERE tenant_id = ${ctx.tenant.id} AND id = ${row.id} AND status = 'pending')`,
    },
  )
  if (committed) return
  const now = await getReview(ctx, row.id)
  throw now.row.status === 'pending' ? notFound('Knowledge base') : alreadyDecided()
}

async function waitAndVerify(ctx: TenantContext, id: string): Promise<void> {
  const until = Date.now() + REVIEWS.waitMs
  while (Date.now() < until) {
    const state = await verifyReview(ctx.env, ctx.tenant.id, id).catch((error: unknown) => {
      ctx.log.error('replay_failed', error, { review_id: id })
      return 'later' as const
    })
    if (state !== 'waiting') return
    await new Promise((resolve) => setTimeout(resolve, REVIEWS.pollMs))
  }
}

/** The question stays as it is answered now. @throws notFound; conflict when decided. */
export async function rejectReview(ctx: TenantContext, id: string): Promise<OpenReview> {
  const review = await getPendingReview(ctx, id)
  const after = { ...review.row, status: 'rejected' as const, decidedAt: ctx.now }
  const committed = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db
        .update(reviews)
        .set({ status: after.status, decidedAt: after.decidedAt })
        .where(and(eq(reviews.tenantId, ctx.tenant.id), eq(reviews.id, id))),
    ],
    {
      action: 'reject',
      entity: 'review',
      entityId: id,
      entityName: null,
      before: auditReview(review),
      after: auditReview({ ...review, row: after }),
      requires: sql`EXISTS (SELECT 1 FROM reviews WHERE tenant_id = ${ctx.tenant.id} AND id = ${id} AND status = 'pending')`,
    },
  )
  if (!committed) {
    await getReview(ctx, id)
    throw alreadyDecided()
  }
  return { ...review, row: after }
}
