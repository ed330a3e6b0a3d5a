import type { DeliveryRow, WebhookRow } from '../db/tables/webhooks'
import { isoOf } from '../time'

const isoOrNull = (ms: number | null) => (ms === null ? null : isoOf(ms))

/** Everything but the secret. */
export function presentWebhook(row: WebhookRow) {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    disabled_reason: row.disabledReason,
    failing_since: isoOrNull(row.failingSince),
    last_delivery_at: isoOrNull(row.lastDeliveryAt),
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  }
}

/** What the audit trail keeps: an address without its query, which may be a secret of the receiver's. */
export function auditWebhook(row: WebhookRow) {
  const url = new URL(row.url)
  return {
    id: row.id,
    url: url.origin + url.pathname,
    events: row.events,
    description: row.description,
    status: row.status,
    disabled_reason: row.disabledReason,
    secret: { set: true },
  }
}

export function presentDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    event_id: row.eventId,
    type: row.type,
    data: row.data,
    status: row.status,
    attempts: row.attempts,
    response_status: row.responseStatus,
    error: row.error,
    replay_of: row.replayOf,
    happened_at: isoOf(row.happenedAt),
    created_at: isoOf(row.createdAt),
    last_attempt_at: isoOrNull(row.lastAttemptAt),
    next_attempt_at: isoOrNull(row.nextAttemptAt),
  }
}
