import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { REVIEWS } from '../config/limits'
import type { TenantContext } from '../context'
import { pickOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { knowledgeBases } from '../db/tables/knowledge'
import { type ReviewOriginRow, type ReviewRow, reviewOrigins, reviews } from '../db/tables/reviews'
import { conflict, forbidden, notFound } from '../errors'
import { tenantKey } from '../platform/secrets'
import { foldText } from '../text/fold'
import { type Page, readPage } from '../wire/paging'
import type { FindingBody } from './finding'
import { presentReview } from './present-review'
import { openFinding, openQuestion } from './review-texts'

/**
 * A review with the words it shows: those of the user who asked first, of those whose words are still there. Words that do
 * not open are null.
 */
export interface OpenReview {
  row: ReviewRow
  agentName: string
  baseName: string | null
  question: string | null
  body: FindingBody | null
}

/** A review whose words are all there. */
export type ReadableReview = OpenReview & { question: string; body: FindingBody }

export interface ReviewFilter {
  status?: ReviewRow['status'] | undefined
  agent?: string | undefined
  kb?: string | undefined
  q?: string | undefined
}

interface Found {
  row: ReviewRow
  agentName: string | null
  baseName: string | null
  origin: ReviewOriginRow
}

/** Reviews hold what users wrote. @throws forbidden in privacy mode. */
export function requireOpenReviews(ctx: TenantContext): void {
  if (ctx.tenant.privacyMode)
    throw forbidden('Privacy mode: reviews cannot be read', 'privacy_mode')
}

/** Newest first. `q` looks into the questions and answers of the 1,000 newest that the other filters leave. */
export function listReviews(
  ctx: TenantContext,
  { limit, cursor, ...filter }: ReviewFilter & { limit: number; cursor?: string | undefined },
): Promise<Page<ReturnType<typeof presentReview>>> {
  const wanted = foldText(filter.q?.trim() ?? '')
  return readPage(
    ctx,
    { limit, cursor },
    {
      route: 'reviews',
      filter,
      read: (after: number | null, most) =>
        wanted === ''
          ? selectReviews(ctx, filter, most + 1, after).then((rows) => openAll(ctx, rows))
          : searchReviews(ctx, filter, wanted, most + 1, after),
      position: ({ row }) => row.seq,
      present: presentReview,
    },
  )
}

async function searchReviews(
  ctx: TenantContext,
  filter: ReviewFilter,
  wanted: string,
  limit: number,
  after: number | null,
): Promise<OpenReview[]> {
  const searched = await selectReviews(ctx, filter, REVIEWS.searched)
  const rows = after === null ? searched : searched.filter(({ row }) => row.seq < after)
  const hits: OpenReview[] = []
  for (let at = 0; at < rows.length && hits.length < limit; at += limit) {
    const opened = await openAll(ctx, rows.slice(at, at + limit))
    hits.push(
      ...opened.filter(({ question, body }) =>
        [question ?? '', body?.answer ?? '', ...(body?.unsourced ?? [])].some((text) =>
          foldText(text).includes(wanted),
        ),
      ),
    )
  }
  return hits.slice(0, limit)
}

const openAll = (ctx: TenantContext, rows: readonly Found[]) =>
  Promise.all(rows.map((row) => open(ctx, row)))

/** @throws notFound. */
export async function getReview(ctx: TenantContext, id: string): Promise<OpenReview> {
  const [found] = await selectReviews(ctx, { id }, 1)
  if (!found) throw notFound('Review')
  return open(ctx, found)
}

/** @throws notFound; conflict when it was decided. */
export async function getPendingReview(ctx: TenantContext, id: string): Promise<OpenReview> {
  const review = await getReview(ctx, id)
  if (review.row.status !== 'pending') throw alreadyDecided()
  return review
}

/** @throws notFound; conflict when it was decided, or when its words do not open. */
export async function getReadableReview(ctx: TenantContext, id: string): Promise<ReadableReview> {
  const { question, body, ...review } = await getPendingReview(ctx, id)
  if (question === null || body === null)
    throw conflict('The words of this review cannot be read', 'unreadable')
  return { ...review, question, body }
}

export const alreadyDecided = () => conflict('Review already decided', 'review_decided')

function selectReviews(
  ctx: TenantContext,
  filter: ReviewFilter & { id?: string },
  limit: number,
  after: number | null = null,
): Promise<Found[]> {
  const tenantId = ctx.tenant.id
  return pickOwn(
    ctx.db,
    reviews,
    tenantId,
    {
      row: reviews,
      agentName: agents.name,
      baseName: knowledgeBases.name,
      origin: reviewOrigins,
    },
    filter.id === undefined ? undefined : eq(reviews.id, filter.id),
    after === null ? undefined : lt(reviews.seq, after),
    filter.status === undefined ? undefined : eq(reviews.status, filter.status),
    filter.agent === undefined
      ? undefined
      : sql`coalesce(${agents.name}, ${reviews.agentName}) = ${filter.agent}`,
    filter.kb === undefined ? undefined : eq(knowledgeBases.name, filter.kb),
  )
    .innerJoin(
      reviewOrigins,
      and(
        eq(reviewOrigins.reviewId, reviews.id),
        sql`${reviewOrigins.userId} = (
          SELECT user_id FROM review_origins first WHERE first.review_id = ${reviews.id} ORDER BY created_at, user_id LIMIT 1)`,
      ),
    )
    .leftJoin(agents, and(eq(agents.tenantId, tenantId), eq(agents.id, reviews.agentId)))
    .leftJoin(
      knowledgeBases,
      and(eq(knowledgeBases.tenantId, tenantId), eq(knowledgeBases.id, reviews.baseId)),
    )
    .orderBy(desc(reviews.seq))
    .limit(limit)
}

async function open(ctx: TenantContext, { row, origin, ...names }: Found): Promise<OpenReview> {
  const key = await tenantKey(ctx.config, ctx.tenant)
  const [question, body] = await Promise.all([openQuestion(key, origin), openFinding(key, origin)])
  return {
    row,
    agentName: names.agentName ?? row.agentName,
    baseName: names.baseName,
    question,
    body,
  }
}
