import type { HandoffReason, HandoffStatus } from '../config/names'

/** What a turn asks for. */
export interface HandoffRequest {
  reason: HandoffReason
  /** What the person should know beside the conversation: what was noted, a line each. */
  lines: readonly string[]
  /** Who is mailed; none: the tenant's contact. */
  notify: readonly string[]
  /** The reply says already what happens next. */
  isTold: boolean
}

/** What is known of a handoff without its user's key. Times in milliseconds since 1970. */
export interface HandoffHead {
  id: string
  sessionId: string
  agentName: string
  status: HandoffStatus
  reason: HandoffReason
  /** Rises with each change. */
  n: number
  createdAt: number
  answeredAt: number | null
  closedAt: number | null
}

/** What its user's object tells the directory and those who are asked. */
export interface HandoffNotice extends HandoffHead {
  /** What the user said last and what was noted; null in privacy mode. */
  summary: string | null
  notify: readonly string[]
}

/** What a turn may know of the session it is in. */
export interface HandoffDesk {
  /** The handoff under way, during which the agent is silent. */
  readonly open: Exclude<HandoffStatus, 'closed'> | null
  /** Answers in a row before this one that found nothing; null once a person was offered. */
  readonly misses: number | null
}

/** Where no session is, nobody can be asked for. */
export const NO_HANDOFF: HandoffDesk = { open: null, misses: null }
