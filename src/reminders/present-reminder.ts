import type * as z from 'zod'
import { isoOf } from '../time'
import type { ReminderStatus } from './rules'
import type { MyReminderOut } from './schema'

/** A reminder as its user sees it in a list: never its text. Times in milliseconds since 1970. */
export interface ReminderView {
  id: string
  status: ReminderStatus
  dueAt: number
  timezone: string
  source: 'manual' | 'agent'
  agentName: string | null
  sessionId: string | null
  createdAt: number
  deliveredAt: number | null
  cancelledAt: number | null
}

/** Without what people call its agent. */
export function presentReminder(
  view: ReminderView,
): Omit<z.output<typeof MyReminderOut>, 'agent_display_name'> {
  const time = (ms: number | null) => (ms === null ? null : isoOf(ms))
  return {
    id: view.id,
    status: view.status,
    due_at: isoOf(view.dueAt),
    timezone: view.timezone,
    source: view.source,
    agent_name: view.agentName,
    session_id: view.sessionId,
    created_at: isoOf(view.createdAt),
    delivered_at: time(view.deliveredAt),
    cancelled_at: time(view.cancelledAt),
  }
}
