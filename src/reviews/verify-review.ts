import { and, eq, isNull } from 'drizzle-orm'
import { configOf } from '../config/read-config'
import { openPrimary } from '../db/client'
import { selectOwn } from '../db/own'
import { documents } from '../db/tables/knowledge'
import { reviewOrigins, reviews } from '../db/tables/reviews'
import { tenants } from '../db/tables/tenants'
import { ApiError } from '../errors'
import { tenantKey } from '../platform/secrets'
import { loadAgent } from './load-agent'
import { replayQuestion } from './replay-question'
import { openQuestion } from './review-texts'

/** `waiting`: the document is not searchable yet. `done`: there is a verdict, or nothing to judge any more. */
export type Verification = 'waiting' | 'done'

/**
 * Asks the question of an approved review again and stores whether the new document answers it. Safe to run twice and
 * beside itself: the first verdict stays. @throws what the model throws: the job tries again.
 */
export async function verifyReview(
  env: Env,
  tenantId: string,
  reviewId: string,
): Promise<Verification> {
  const db = openPrimary(env.DB)
  const [[review], [document], [origin], [tenant]] = await db.batch([
    selectOwn(db, reviews, tenantId, eq(reviews.id, reviewId)),
    selectOwn(db, documents, tenantId, eq(documents.id, reviewId)),
    selectOwn(db, reviewOrigins, tenantId, eq(reviewOrigins.reviewId, reviewId))
      .orderBy(reviewOrigins.createdAt, reviewOrigins.userId)
      .limit(1),
    db.select().from(tenants).where(eq(tenants.id, tenantId)),
  ])
  if (review?.status !== 'approved' || review.verified !== null || !origin) return 'done'
  if (!tenant || tenant.status === 'deleted') return 'done'
  const settle = async (verified: boolean): Promise<Verification> => {
    await db
      .update(reviews)
      .set({ verified })
      .where(
        and(eq(reviews.tenantId, tenantId), eq(reviews.id, reviewId), isNull(reviews.verified)),
      )
    return 'done'
  }
  // Deleted, or it could not be read: nothing answers the question.
  if (!document || document.status === 'failed') return settle(false)
  if (document.liveVersion !== document.version) return 'waiting'

  const question = await openQuestion(await tenantKey(configOf(env), tenant), origin)
  if (question === null) return settle(false)
  const agent = await loadAgent(db, review)
  const replay = replayQuestion(
    env,
    tenant,
    { ...agent, config: { ...agent.config, grounding_required: true } },
    question,
    `${reviewId}:verify`,
  )
  const outcome = await replay.catch((error: unknown) => {
    // Without quota nothing can be asked this month; the question waits no longer for it.
    if (error instanceof ApiError && error.code === 'quota_exceeded') return null
    throw error
  })
  return settle(outcome?.cited.some(({ passage }) => passage.documentId === document.id) ?? false)
}
