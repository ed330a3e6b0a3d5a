import type { HandoffReason, HandoffStatus } from '../../../config/names'

/** A handoff, as `src/handoffs/schema.ts` describes it. */
export interface Handoff {
  id: string
  session_id: string
  agent_name: string
  user_id: string
  status: HandoffStatus
  reason: HandoffReason
  summary: string | null
  created_at: string
  answered_at: string | null
  closed_at: string | null
}
