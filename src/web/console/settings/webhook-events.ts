import type { SettingsKey } from './words'

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
} as const satisfies Record<string, SettingsKey>
