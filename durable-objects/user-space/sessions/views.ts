import type { Source } from '../../../src/chat/events'
import type { SpaceKeys } from '../core/space-keys'
import type { AttachmentRow } from './attachment-store'
import { readBody } from './message-body'
import type { MessageRow, MessageStatus, Variants } from './message-store'
import type { SessionRow } from './session-row'

/** A session as its user (or the tenant) sees it. Times in milliseconds since 1970. */
export interface SessionView {
  id: string
  agentName: string
  channel: string
  title: string | null
  titleByUser: boolean
  messageCount: number
  readCount: number
  forkedFrom: string | null
  prefill: string | null
  createdAt: number
  updatedAt: number
}

export interface AttachmentView {
  id: string
  sessionId: string
  messageId: string
  mime: string
  /** Null when it does not open. */
  name: string | null
  sizeBytes: number
  createdAt: number
}

export interface MessageView {
  id: string
  sessionId: string
  role: 'user' | 'assistant'
  content: string | null
  agentName: string | null
  /** Null for what the user said. */
  author: 'agent' | 'staff' | null
  sources: Source[]
  attachments: AttachmentView[]
  /** `unreadable`: what is stored does not open, so `content` is null. */
  status: MessageStatus | 'unreadable'
  feedback: 'up' | 'down' | null
  /** All that was said in its place, itself too, the oldest first. */
  variants: string[]
  /** Which of them is in the history. */
  active: string
  createdAt: number
  editedAt: number | null
}

export interface SearchView {
  sessionId: string
  title: string | null
  snippet: string
  score: number
  match: 'title' | 'keyword'
  updatedAt: number
}

export const isImage = ({ voice }: AttachmentRow): boolean => voice === null

export async function viewSession(keys: SpaceKeys, row: SessionRow): Promise<SessionView> {
  const open = (column: string, sealed: string | null) =>
    sealed === null ? null : keys.read('sessions', column, row.id, sealed)
  return {
    id: row.id,
    agentName: row.agent_name,
    channel: row.channel,
    title: await open('title', row.title_sealed),
    titleByUser: row.title_by_user === 1,
    messageCount: row.message_count,
    readCount: row.read_count,
    forkedFrom: row.forked_from,
    prefill: await open('prefill', row.prefill_sealed),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function viewMessage(
  keys: SpaceKeys,
  row: MessageRow,
  attachments: AttachmentView[],
  places: ReadonlyMap<string, Variants>,
): Promise<MessageView> {
  const place = places.get(row.variant_of ?? row.id)
  const body = await readBody(keys, row)
  return {
    id: row.id,
    sessionId: row.session_id,
    role: row.role,
    content: body?.content ?? null,
    agentName: row.agent_name,
    author: row.role === 'user' ? null : (body?.author ?? 'agent'),
    sources: body?.sources ?? [],
    attachments: attachments.filter((attachment) => attachment.messageId === row.id),
    status: body === null ? 'unreadable' : row.status,
    feedback: row.feedback === 'up' || row.feedback === 'down' ? row.feedback : null,
    variants: place?.ids ?? [row.id],
    active: place?.shown ?? row.id,
    createdAt: row.created_at,
    editedAt: row.edited_at,
  }
}

/** What came with messages: their speeches are heard, not listed. */
export function viewAttachments(keys: SpaceKeys, rows: AttachmentRow[]): Promise<AttachmentView[]> {
  return Promise.all(
    rows.filter(isImage).map(async (row) => ({
      id: row.id,
      sessionId: row.session_id,
      messageId: row.message_id,
      mime: row.mime,
      name: await keys.read('attachments', 'name', row.id, row.name_sealed),
      sizeBytes: row.size_bytes,
      createdAt: row.created_at,
    })),
  )
}
