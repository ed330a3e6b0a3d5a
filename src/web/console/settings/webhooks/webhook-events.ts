import type { AttemptError } from '../../../../webhooks/after-attempt'
import type { WebhookKey } from './words'

export const EVENTS = {
  'turn.completed': 'eventTurn',
  'turn.no_match': 'eventNoMatch',
  'review.created': 'eventReview',
  'document.ready': 'eventReady',
  'document.failed': 'eventFailed',
  'storyline.completed': 'eventStoryline',
  'handoff.requested': 'eventHandoff',
  'quota.warning': 'eventQuota',
  'user.deleted': 'eventUser',
} as const satisfies Record<string, WebhookKey>

const FAILURES = {
  status: 'hookStatus',
  redirect: 'hookRedirect',
  timeout: 'hookTimeout',
  unreachable: 'hookUnreachable',
  url_not_allowed: 'hookNotAllowed',
  secret_unreadable: 'hookSecret',
} as const satisfies Record<AttemptError, WebhookKey>

/** Why a delivery failed, in words; null for a reason that came later, which is shown as it is called. */
export const failureWord = (error: string): WebhookKey | null =>
  Object.hasOwn(FAILURES, error) ? FAILURES[error as AttemptError] : null
