import { workIn } from '../platform/stubs'
import type { Finding } from '../reviews/finding'
import { recordReview } from '../reviews/record-review'
import { emitEvent } from '../webhooks/emit-event'
import type { JobOf } from './job'

/** A reply was given a thumb down: what there is to review about it. Safe to run twice. */
export async function reviewMessage(env: Env, job: JobOf<'message.review'>): Promise<void> {
  const finding = await workIn(env, job, 'afterTurn', 'findForReview', job.messageId)
  if (finding) await takeFinding(env, job, finding, Date.now())
}

/** Into the reviews, and to the webhooks when it began one. Safe to run twice. */
export async function takeFinding(
  env: Env,
  from: { tenantId: string; userId: string },
  finding: Finding,
  now: number,
): Promise<void> {
  const reviewId = await recordReview(env, from, finding, now)
  if (reviewId === null) return
  await emitEvent(env, from.tenantId, {
    type: 'review.created',
    key: reviewId,
    data: { review_id: reviewId, agent: finding.agentName, message_id: finding.messageId },
    at: now,
  })
}
