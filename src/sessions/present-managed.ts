import type { MemoryView } from '../../durable-objects/user-space/memories/memory-store'
import type { AttachmentView, SessionView } from '../../durable-objects/user-space/sessions/views'
import type { TenantRow } from '../db/tables/tenants'
import { sha256 } from '../platform/crypto/bytes'
import { presentSpaceDocument } from '../spaces/space-documents'
import { isoOf } from '../time'

/** Presenters of what a tenant sees of its users' conversations. In privacy mode whatever says what they are about is null. */
type Seen = Pick<TenantRow, 'privacyMode'>

export function presentSession(
  tenant: Seen,
  space: { id: string; userId: string },
  view: SessionView,
) {
  return {
    id: view.id,
    user_id: space.userId,
    space_id: space.id,
    agent_name: view.agentName,
    channel: view.channel,
    title: tenant.privacyMode ? null : view.title,
    message_count: view.messageCount,
    created_at: isoOf(view.createdAt),
    updated_at: isoOf(view.updatedAt),
  }
}

export function presentAttachmentFacts({ id, mime, name, createdAt }: AttachmentView) {
  return { id, mime, name, created_at: isoOf(createdAt) }
}

export function presentUserDocument(
  tenant: Seen,
  spaceId: string,
  view: Parameters<typeof presentSpaceDocument>[0],
) {
  const document = presentSpaceDocument(view, spaceId)
  return tenant.privacyMode ? { ...document, name: null, path: null } : document
}

export function presentMemory(tenant: Seen, view: MemoryView) {
  const shown = (text: string | null) => (tenant.privacyMode ? null : text)
  return {
    id: view.id,
    kind: view.kind,
    topic: shown(view.topic),
    importance: view.importance,
    content: shown(view.content),
    session_id: view.sessionId,
    created_at: isoOf(view.createdAt),
    updated_at: isoOf(view.updatedAt),
  }
}

/** A profile is known by its space and agent; its id is made of the two, as a UUIDv8. */
export async function presentAgentProfile(
  tenant: Seen,
  spaceId: string,
  view: { agentName: string; content: string; updatedAt: number },
) {
  return {
    id: await uuidOf(`profile\n${spaceId}\n${view.agentName}`),
    agent_name: view.agentName,
    content: tenant.privacyMode ? null : view.content,
    updated_at: isoOf(view.updatedAt),
  }
}

async function uuidOf(text: string): Promise<string> {
  const bytes = (await sha256(text)).slice(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [8, 12, 16, 20].reduceRight((id, at) => `${id.slice(0, at)}-${id.slice(at)}`, hex)
}
