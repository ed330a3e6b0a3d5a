import { eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { storylines } from '../db/tables'
import { TryLater } from '../platform/try-later'
import { takeReport } from '../storylines/take-report'
import { emitEvent } from '../webhooks/emit-event'
import type { JobOf } from './job'

const EARLY_S = 2

/** Notes where an enrollment stands. Reports may come twice or out of order: each counts once, after the one before it. */
export async function reportStoryline(
  env: Env,
  { tenantId, report }: JobOf<'storyline.report'>,
): Promise<void> {
  const outcome = await takeReport(env.DB, report)
  if (outcome === 'early') {
    // Of a storyline that was deleted nothing is awaited any more.
    const storyline = await findOwn(
      openPrimary(env.DB),
      storylines,
      tenantId,
      eq(storylines.id, report.storylineId),
    )
    if (storyline) throw new TryLater(EARLY_S)
    return
  }
  if (outcome === 'gone' || report.status !== 'completed') return
  await emitEvent(env, tenantId, {
    type: 'storyline.completed',
    key: report.id,
    at: report.updatedAt,
    data: {
      enrollment_id: report.id,
      storyline_id: report.storylineId,
      user_id: report.userId,
      space_id: report.spaceId,
      node: report.node,
    },
  })
}
