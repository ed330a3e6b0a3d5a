import * as z from 'zod'
import { LIMITS, PAGES } from '../config/limits'
import { HANDOFF_REASONS, HANDOFF_STATES } from '../config/names'
import { pageQuery } from '../wire/fields'
import { pageOf } from '../wire/paging'

export const HandoffQuery = z.object({
  status: z.enum(HANDOFF_STATES).optional(),
  ...pageQuery(PAGES.handoffs),
})

export const ReplyIn = z.object({
  text: z.string().trim().min(1).max(LIMITS.messageLength).describe('What the user reads.'),
})

export const HandoffOut = z.object({
  id: z.string(),
  session_id: z.string(),
  agent_name: z.string(),
  user_id: z.string(),
  status: z.enum(HANDOFF_STATES),
  reason: z.enum(HANDOFF_REASONS),
  summary: z.string().nullable().describe('What the user said last, and what was noted.'),
  created_at: z.string(),
  answered_at: z.string().nullable(),
  closed_at: z.string().nullable(),
})
export const HandoffPage = pageOf(HandoffOut)
