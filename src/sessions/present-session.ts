import type {
  AttachmentView,
  MessageView,
  SearchView,
  SessionView,
} from '../../durable-objects/user-space/sessions/views'
import { isoOf } from '../time'
import { hideDetails } from '../wire/present-source'

export function presentMySession(view: SessionView, spaceId: string) {
  return {
    id: view.id,
    space_id: spaceId,
    agent_name: view.agentName,
    title: view.title,
    title_by_user: view.titleByUser,
    message_count: view.messageCount,
    read_count: view.readCount,
    unread_count: Math.max(0, view.messageCount - view.readCount),
    forked_from: view.forkedFrom,
    prefill: view.prefill,
    created_at: isoOf(view.createdAt),
    updated_at: isoOf(view.updatedAt),
  }
}

/** @param showsSources whether the message's agent (or the caller) may see more of a source than its id. */
export function presentMessage(view: MessageView, showsSources: (agent: string | null) => boolean) {
  return {
    id: view.id,
    session_id: view.sessionId,
    role: view.role,
    content: view.content,
    agent_name: view.agentName,
    author: view.author,
    sources: showsSources(view.agentName) ? view.sources : view.sources.map(hideDetails),
    attachments: view.attachments.map(presentAttachment),
    status: view.status,
    feedback: view.feedback,
    variants: view.variants,
    active: view.active,
    created_at: isoOf(view.createdAt),
    edited_at: view.editedAt === null ? null : isoOf(view.editedAt),
  }
}

export function presentAttachment(view: AttachmentView) {
  return {
    id: view.id,
    session_id: view.sessionId,
    message_id: view.messageId,
    mime: view.mime,
    name: view.name,
    size_bytes: view.sizeBytes,
    created_at: isoOf(view.createdAt),
  }
}

export function presentSearchHit(view: SearchView) {
  return {
    session_id: view.sessionId,
    title: view.title,
    snippet: view.snippet,
    score: view.score,
    match: view.match,
    updated_at: isoOf(view.updatedAt),
  }
}
