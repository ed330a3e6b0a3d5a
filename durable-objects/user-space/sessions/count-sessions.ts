import type { SpaceCore } from '../core/space-core'

export interface CountedSessions {
  sessions: number
  /** When they were counted: of two counts the later one stays. */
  at: number
}

export function countSessions({ isGone, stores }: SpaceCore): CountedSessions {
  return { sessions: isGone ? 0 : stores.sessions.count(), at: Date.now() }
}
