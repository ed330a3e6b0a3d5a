import type { UsageKind } from '../config/names'
import type { SpaceAddress } from '../platform/stubs'
import type { ModelHealth } from './model-status'
import type { WindowRule } from './windows'

/** What one or more model calls of a kind cost. */
export interface UsageEntry {
  agentId: string
  userId: string
  spaceId: string
  model: string
  kind: UsageKind
  requests: number
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** How many of the input and output tokens are our own estimate, as the provider reported none. Absent: none. */
  estimatedTokens?: number
  events: number
  /** A turn of the user's own: when they asked, and the key behind it. */
  seen?: { at: number; keyId: string | null }
}

/** What a turn (or another call that reserved tokens) used in the end. */
export interface Settlement {
  /** Id of the reservation. */
  turn: string
  settle: UsageEntry[]
  health?: ModelHealth | null
  /** When it was over, milliseconds since 1970. */
  endedAt: number
}

/** A ceiling of one user's day, with all agents or with one. */
export interface DayRule {
  /** See `dayName`. */
  name: string
  /** Tokens. */
  limit: number
  /** When the day is over, milliseconds since 1970. */
  endsAt: number
}

/** The name under which the meter counts a user's day: with one agent, or with all of them. */
export const dayName = (userId: string, agentId?: string): string =>
  agentId === undefined ? userId : `${userId} ${agentId}`

export interface AdmitRequest {
  /** Names the reservation; settling or releasing it twice changes nothing. */
  id: string
  /** Key behind the call, null for an end user's token. */
  keyId: string | null
  windows: WindowRule[]
  /** Ceilings of the user's day; none where nobody set one. */
  days?: readonly DayRule[]
  /** Upper bound of what the call may use, in tokens. */
  tokens: number
  /** The space of a turn; absent for other calls. Far from the ceiling a turn's reservation gets no row of its own. */
  space?: SpaceAddress
  /** What earlier turns of the space used. Each is sent again until an answer's `booked` names it. */
  settled?: readonly Settlement[]
  /** The ceiling as the caller read it; a value pushed by a write wins. null: none. */
  ceiling: number | null
  /** A reservation that nobody settles is dropped then, milliseconds since 1970. */
  expiresAt: number
}

export type Admission =
  /**
   * `listens`: whether a webhook waits for turns; null while the meter was never told. `mayWait`: the turn's usage may be
   * reported with a later admission of the space, instead of by a call of its own.
   */
  | { ok: true; listens: boolean | null; mayWait: boolean }
  | { ok: false; reason: 'revoked' | 'suspended' }
  | { ok: false; reason: 'rate' | 'quota' | 'user_quota'; retryAfterS: number }

/** `booked`: ids of the `settled` turns that are booked for good, whether this call was admitted or not. */
export type AdmitResult = Admission & { booked: string[] }

/** A tenant's state as a management write pushes it: effective at the next admission, whatever a cache still holds. */
export interface MeterFacts {
  status?: string
  ceiling?: number | null
  /** Whether an active webhook waits for turns; null: it has to be looked up again. */
  listens?: boolean | null
}
