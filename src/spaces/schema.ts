import * as z from 'zod'
import { LIMITS } from '../config/limits'
import { FEEDBACK_REASONS } from '../config/names'
import { agentNamed, said, shown, uuidParam } from '../wire/fields'
import { pageOf } from '../wire/paging'
import { SourceOut } from '../wire/schema'

export const SpaceIn = z.object({ name: z.string().trim().min(1).max(80).check(shown) })
export const SpaceMergeIn = z.object({ target_space_id: uuidParam })
export const SpaceAgentIn = z.object({ name: agentNamed })

export const MySpaceOut = z.object({
  id: z.string(),
  name: z.string(),
  is_default: z.boolean(),
  agents: z.array(z.string()),
  session_count: z.int(),
  document_count: z.int(),
  created_at: z.string(),
})

export const SessionTitleIn = z.object({ title: z.string().trim().min(1).max(120).check(shown) })
/** One of the two: other words for a message, or another of its variants. */
export const MessageEditIn = z.object({
  content: z.string().max(LIMITS.messageLength).check(said).optional(),
  active: uuidParam
    .optional()
    .describe('One of the message’s `variants`: it and what followed it come back.'),
})
export const FeedbackIn = z.object({
  value: z.enum(['up', 'down']).nullable(),
  comment: z.string().max(2000).nullable().optional(),
  reasons: z.array(z.enum(FEEDBACK_REASONS)).max(3).nullable().optional(),
})

export const MySessionOut = z.object({
  id: z.string(),
  space_id: z.string(),
  agent_name: z.string(),
  title: z.string().nullable(),
  title_by_user: z.boolean(),
  message_count: z.int(),
  read_count: z.int(),
  unread_count: z.int(),
  forked_from: z.string().nullable(),
  prefill: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export const MySessionPage = pageOf(MySessionOut)

export const MyAttachmentOut = z.object({
  id: z.string(),
  session_id: z.string(),
  message_id: z.string(),
  mime: z.string(),
  name: z.string().nullable(),
  size_bytes: z.int(),
  created_at: z.string(),
})

export const MyMessageOut = z.object({
  id: z.string(),
  session_id: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  content: z.string().nullable(),
  agent_name: z.string().nullable(),
  author: z.enum(['agent', 'staff']).nullable(),
  sources: z.array(SourceOut),
  attachments: z.array(MyAttachmentOut),
  status: z.enum(['complete', 'partial', 'failed', 'unreadable']),
  feedback: z.enum(['up', 'down']).nullable(),
  variants: z
    .array(z.string())
    .describe('All that was said in this place, the message itself too, the oldest first.'),
  active: z.string().describe('Which of the variants is in the history.'),
  created_at: z.string(),
  edited_at: z.string().nullable(),
})

export const MySessionSearchHit = z.object({
  session_id: z.string(),
  title: z.string().nullable(),
  snippet: z.string(),
  score: z.number(),
  match: z.enum(['title', 'keyword']),
  updated_at: z.string(),
})
