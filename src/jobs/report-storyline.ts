import { workIn } from '../platform/stubs'
import type { EnrollmentReport } from '../storylines/records'
import { takeReport } from '../storylines/take-report'
import { emitEvent } from '../webhooks/emit-event'
import type { JobOf } from './job'

/** Notes where an enrollment stands. A report may come twice: it counts once. */
export async function reportStoryline(
  env: Env,
  { report }: JobOf<'storyline.report'>,
): Promise<void> {
  const outcome = await takeReport(env.DB, report)
  if (outcome !== 'gone' && report.status === 'completed') await tellCompleted(env, report)
  // The next one is sent once this one is known; one that came too early was not, so it comes again.
  if (outcome !== 'early') await workIn(env, report, 'enrollments', 'reported', report.id, report.n)
}

function tellCompleted(env: Env, report: EnrollmentReport): Promise<void> {
  return emitEvent(env, report.tenantId, {
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
