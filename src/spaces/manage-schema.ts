import * as z from 'zod'
import { DocumentOut } from '../knowledge/schema'
import { MEMORY_KINDS } from '../memory/types'
import { pageOf } from '../wire/paging'
import { SourceOut } from '../wire/schema'
import { MyAttachmentOut } from './schema'

export const SpaceOut = z.object({ id: z.string(), name: z.string(), is_default: z.boolean() })
export const OwnedSpaceOut = SpaceOut.extend({ user_id: z.string() })

export const SessionOut = z.object({
  id: z.string(),
  user_id: z.string(),
  space_id: z.string(),
  agent_name: z.string(),
  channel: z.string(),
  title: z.string().nullable(),
  message_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})
export const SessionPage = pageOf(SessionOut)

const MessageOut = z.object({
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
  variants: z.array(z.string()),
  active: z.string(),
  created_at: z.string(),
  edited_at: z.string().nullable(),
})
export const MessagePage = pageOf(MessageOut)

/** A document of a user, which has no name in privacy mode. */
export const UserDocumentPage = pageOf(
  DocumentOut.extend({ name: z.string().nullable(), path: z.string().nullable() }),
)

export const AttachmentOut = z.object({
  id: z.string(),
  mime: z.string(),
  name: z.string().nullable(),
  created_at: z.string(),
})

export const MemoryOut = z.object({
  id: z.string(),
  kind: z.enum(MEMORY_KINDS),
  topic: z.string().nullable(),
  importance: z.int(),
  content: z.string().nullable(),
  session_id: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string().nullable(),
})

export const AgentProfileOut = z.object({
  id: z.string(),
  agent_name: z.string(),
  content: z.string().nullable(),
  updated_at: z.string(),
})
