import type { Enrollment, EnrollmentHead, KeptState } from '../../../src/storylines/enrollment'
import type { SpaceKeys } from '../core/space-keys'
import type { EnrollmentRow } from './enrollment-store'

/** A row without what is sealed in it. */
export function headOf(row: EnrollmentRow): EnrollmentHead {
  return {
    id: row.id,
    storylineId: row.storyline_id,
    revisionId: row.revision_id,
    agentId: row.agent_id,
    status: row.status,
    pausedBy: row.paused_by,
    node: row.node,
    sessionId: row.session_id,
    dueAt: row.due_at,
    holds: row.holds === 1,
    reports: row.reports,
    enteredNodeAt: row.entered_node_at,
    lastTurnAt: row.last_turn_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** @returns null for one that does not open: it is as if it were not there. */
export async function openEnrollment(
  keys: SpaceKeys,
  row: EnrollmentRow,
): Promise<Enrollment | null> {
  const kept = await keys.read('enrollments', 'kept', row.id, row.kept_sealed)
  return kept === null ? null : { ...headOf(row), kept: JSON.parse(kept) as KeptState }
}

/** What an order could be taken back by goes with the first change after it. */
export function sealKept(keys: SpaceKeys, { id, kept, reports }: Enrollment): Promise<string> {
  const { order } = kept
  const isPast = order?.undo !== undefined && order.undo.report !== reports + 1
  const lean = isPast ? { ...kept, order: { id: order.id, dropped: order.dropped } } : kept
  return keys.seal('enrollments', 'kept', id, JSON.stringify(lean))
}
