import type { DeliveryRow, WebhookRow } from '../db/tables/webhooks'

/** Why an attempt failed, in fixed words: what a peer says stays inside. */
export type AttemptError =
  | 'status'
  | 'redirect'
  | 'timeout'
  | 'unreachable'
  | 'url_not_allowed'
  | 'secret_unreadable'

export interface Attempt {
  /** The answer's status, null where none came. */
  status: number | null
  /** Null when the receiver took it (2xx). */
  error: AttemptError | null
}

const GONE = 410
/** Pauses are up to a fifth shorter, so that what failed together does not come back together. */
const JITTER = 0.2

/** What an answer's status means. A redirect is a failure: a signed message is not sent on. */
export function judgeStatus(status: number): Attempt {
  if (status >= 200 && status < 300) return { status, error: null }
  return { status, error: status >= 300 && status < 400 ? 'redirect' : 'status' }
}

/**
 * Where an attempt leaves its delivery and its webhook. A failed one is tried again after the next of `retryS` seconds, shortened by
 * `random` (0 to 1);
 * after the last, and at once for 410 Gone, the delivery has failed. The webhook is switched off when it is gone, or when
 * nothing at all arrived while a delivery went through all its attempts.
 */
export function afterAttempt(
  delivery: Pick<DeliveryRow, 'attempts' | 'firstAttemptAt' | 'lastAttemptAt'>,
  webhook: Pick<WebhookRow, 'failingSince'>,
  attempt: Attempt,
  now: number,
  retryS: readonly number[],
  random: number,
): {
  delivery: Pick<DeliveryRow, 'status' | 'nextAttemptAt' | 'responseStatus' | 'error'>
  failingSince: number | null
  disable: 'failing' | 'gone' | null
} {
  const outcome = { responseStatus: attempt.status, error: attempt.error }
  if (attempt.error === null) {
    return {
      delivery: { ...outcome, status: 'delivered', nextAttemptAt: null },
      failingSince: null,
      disable: null,
    }
  }
  const failingSince = webhook.failingSince ?? delivery.lastAttemptAt ?? now
  const failed = { ...outcome, status: 'failed' as const, nextAttemptAt: null }
  if (attempt.status === GONE) return { delivery: failed, failingSince, disable: 'gone' }
  const waitS = retryS[delivery.attempts - 1]
  if (waitS !== undefined) {
    const nextAttemptAt = now + Math.round(waitS * 1000 * (1 - JITTER * random))
    return {
      delivery: { ...outcome, status: 'pending', nextAttemptAt },
      failingSince,
      disable: null,
    }
  }
  const hasFailedThroughout = failingSince <= (delivery.firstAttemptAt ?? now)
  return { delivery: failed, failingSince, disable: hasFailedThroughout ? 'failing' : null }
}
