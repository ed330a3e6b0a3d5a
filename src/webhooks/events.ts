import type { WebhookEventType } from '../config/names'
import { sha256, toHex } from '../platform/crypto/bytes'
import { isoOf } from '../time'

/** Something that happened at a tenant, for its webhooks. */
export interface WebhookEvent {
  type: WebhookEventType
  /** Names the occurrence within its type (a message id, a document's version…): the same key again is the same event. */
  key: string
  /** Ids and names of configuration, never content. */
  data: Record<string, string>
  /** Milliseconds since 1970. */
  at: number
}

/** The type of what a test sends; nothing can be subscribed to it. */
export const TEST_EVENT = 'webhook.test'

/** The same for every repeat of an event, other for every other one of the tenant. */
export async function eventId(
  tenantId: string,
  { type, key }: Pick<WebhookEvent, 'key'> & { type: string },
): Promise<string> {
  return `evt_${toHex(await sha256(JSON.stringify([tenantId, type, key]))).slice(0, 32)}`
}

/** What a receiver gets: byte for byte the same at every attempt and replay. */
export function eventBody(event: {
  tenantId: string
  type: string
  happenedAt: number
  data: Record<string, string>
}): string {
  const { tenantId, type, happenedAt, data } = event
  return JSON.stringify({ type, timestamp: isoOf(happenedAt), tenant_id: tenantId, data })
}
