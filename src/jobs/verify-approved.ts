import { and, between, eq, isNull } from 'drizzle-orm'
import { REVIEWS } from '../config/limits'
import { openPrimary } from '../db/client'
import { reviews } from '../db/tables/reviews'
import { sendJobs } from '../platform/queue'
import { verifyReview } from '../reviews/verify-review'
import type { JobOf } from './job'

const BATCH = 500

/** Finishes an approval whose caller did not wait long enough or was cut off. Safe to run twice. @throws while it must wait. */
export async function verifyApproved(env: Env, job: JobOf<'review.verify'>): Promise<void> {
  if ((await verifyReview(env, job.tenantId, job.reviewId)) === 'waiting') {
    throw new Error('The approved document is not searchable yet')
  }
}

/** Takes up approvals without a verdict: their job was lost, or their document took long. */
export async function watchReviews(env: Env, now: number): Promise<number> {
  const waiting = await openPrimary(env.DB)
    .select({ tenantId: reviews.tenantId, reviewId: reviews.id })
    .from(reviews)
    .where(
      and(
        eq(reviews.status, 'approved'),
        isNull(reviews.verified),
        between(reviews.decidedAt, now - REVIEWS.verifyUntilMs, now - REVIEWS.verifyAfterMs),
      ),
    )
    .limit(BATCH)
  await sendJobs(
    env,
    waiting.map((row) => ({ type: 'review.verify', ...row })),
  )
  return waiting.length
}
