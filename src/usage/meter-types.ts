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
  /** Of input and output, what nobody reported; none where it is left out. */
  estimatedTokens?: number
  events: number
  /** A turn of the user's own: when they asked, and the key behind it. */
  seen?: { at: number; keyId: string | null }
}

/** What a turn used, or another reservation. */
export interface Settlement {
  turn: string
  settle: UsageEntry[]
  health?: ModelHealth | null
  /** When it was over, milliseconds since 1970. */
  endedAt: number
}

/** A ceiling of one user's day, with all agents or with one. */
export interface DayRule {
  name: string
  limit: number
  /** When the day is over, milliseconds since 1970. */
  endsAt: number
}

/** By which name the meter counts a user's day. */
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
  /** Of a turn, where it is: far from the ceiling its reservation is not stored by itself. */
  space?: SpaceAddress
  /** What earlier turns of the space used, until `booked` has said of each that the meter forgets it no more. */
  settled?: readonly Settlement[]
  /** The ceiling as the caller read it; a value pushed by a write wins. null: none. */
  ceiling: number | null
  /** A reservation that nobody settles is dropped then, milliseconds since 1970. */
  expiresAt: number
}

export type Admission =
  /**
   * `listens`: whether a webhook waits for turns; null while the meter was never told. `mayWait`: what the turn will have used
   * may be told with a later admission of the space.
   */
  | { ok: true; listens: boolean | null; mayWait: boolean }
  | { ok: false; reason: 'revoked' | 'suspended' }
  | { ok: false; reason: 'rate' | 'quota' | 'user_quota'; retryAfterS: number }

/** `booked`: of the turns that were told, those that are booked, let in or not. */
export type AdmitResult = Admission & { booked: string[] }

/** A tenant's state as a management write pushes it: effective at the next admission, whatever a cache still holds. */
export interface MeterFacts {
  status?: string
  ceiling?: number | null
  /** Whether an active webhook waits for turns; null: it has to be looked up again. */
  listens?: boolean | null
}
