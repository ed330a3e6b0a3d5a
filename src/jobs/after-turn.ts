import type { FinishReason, WebhookEventType } from '../config/names'
import { tenantMeter, workIn } from '../platform/stubs'
import { emitEvent } from '../webhooks/emit-event'
import { listensToTurns } from '../webhooks/listens-to-turns'
import { noteSessions } from './count-space'
import type { JobOf } from './job'
import { takeFinding } from './review-message'

/** What a turn leaves for later: what webhooks hear, a title, a summary, a review. Safe to run twice. */
export async function followTurn(env: Env, job: JobOf<'turn.after'>): Promise<void> {
  const now = Date.now()
  if (job.listens === null) {
    const listens = await listensToTurns(env, job.tenantId)
    await tenantMeter(env, job.tenantId).learnListens(listens)
  }
  if (job.listens !== false) await emitTurn(env, job)
  const { finding, counted } = await workIn(
    env,
    job,
    'afterTurn',
    'follow',
    job.sessionId,
    job.messageId,
    job.historyWindow,
  )
  if (finding) await takeFinding(env, job, finding, now)
  await noteSessions(env, job, counted)
}

/** A turn that ended with an answer; how it ended may be an event of its own. */
async function emitTurn(env: Env, job: JobOf<'turn.after'>): Promise<void> {
  const { tenantId, userId, spaceId, sessionId, messageId, agentName, finishReason } = job
  if (finishReason === null) return
  const what = {
    key: messageId,
    at: job.endedAt,
    data: {
      message_id: messageId,
      session_id: sessionId,
      space_id: spaceId,
      user_id: userId,
      agent: agentName,
      finish_reason: finishReason,
    },
  }
  await emitEvent(env, tenantId, { ...what, type: 'turn.completed' })
  const also = EVENT_OF[finishReason]
  if (also) await emitEvent(env, tenantId, { ...what, type: also })
}

const EVENT_OF: Partial<Record<FinishReason, WebhookEventType>> = {
  no_match: 'turn.no_match',
}
