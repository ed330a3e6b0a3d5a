import type { AgentFacts } from '../agents/resolve-agent'
import type { Language } from '../config/names'
import type { SpaceCaller, TurnRefusal } from '../spaces/caller'
import type { TenantFacts } from '../tenants/tenant-facts'
import type { WindowRule } from '../usage/windows'
import type { ChatResponse } from './events'

export interface ImageInput {
  mime: string
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Where the edge says the caller is; null fields where it does not know. */
export interface EdgePlace {
  city: string | null
  region: string | null
  country: string | null
  timezone: string | null
  latitude: number | null
  longitude: number | null
}

/** One message to answer, as plain data for the space's object. */
export interface TurnRequest {
  caller: SpaceCaller
  /** The tenant's key behind the call, null for an end user's token. */
  keyId: string | null
  /** Tokens a month, null for none. */
  ceiling: number | null
  /** Tokens a day of one user with all agents, null for none. */
  userCeiling: number | null
  rates: {
    user: { limit: number; windowS: number }
    tenant: { limit: number; windowS: number }
    /** Of the address that a visitor without an account writes from. */
    address?: WindowRule
  }
  agent: AgentFacts
  tenant: TenantFacts
  /** Whether the caller named the agent. If not, and the session belongs to another one, the object refuses with that one's id. */
  agentNamed: boolean
  sessionId: string | null
  /** The client's own id of the session (UI message protocol). */
  sessionAlias: string | null
  channel: string
  message: string
  /** What the agent said before the first message of a new session. */
  greeting?: string | null
  /**
   * The message that this turn replaces: by its id; `last`, the latest one; or, for clients that have no id of it, what the
   * user said directly after the message `after` (null: the very first), or the answer to that.
   */
  replaces: string | 'last' | { role: 'user' | 'assistant'; after: string | null } | null
  /** Set when the message was spoken. */
  transcript: string | null
  images: ImageInput[]
  k: number | null
  /** Language of system messages; the reply follows the conversation. */
  lang: Language
  place: EdgePlace | null
  origin: string
  /** Whether the caller sees every field of the sources: behind a tenant key. */
  seesSources: boolean
  idempotency: { key: string; bodyHash: string } | null
  /** The Idempotency-Key was known, so the recording was not transcribed: only the stored answer may be given. */
  replayOnly?: boolean
  /** Earlier messages given by the caller (OpenAI protocol) instead of the session's own. */
  history: { role: 'user' | 'assistant'; content: string }[] | null
  maxOutputTokens: number | null
  /** The reply ends before the first of these that it would contain. */
  stop?: readonly string[]
  seed?: number | null
  now: number
}

/** A reminder tells its user something; a follow-up is said by the agent in its session. Both come due. */
export type ScheduleKind = 'reminder' | 'followup'

/** What a model's tool asks to be scheduled, as it wrote it. */
export interface ScheduleRequest {
  text: string
  dueAt: string
  timezone: string | null
}

/** `due_at` as the zone's clocks will show it; `problem` is for the model to mend. */
export type ScheduleResult =
  | { ok: true; id: string; due_at: string; timezone: string }
  | { ok: false; problem: string }

export type StartedTurn =
  | {
      ok: true
      sessionId: string
      messageId: string
      stream: ReadableStream<Uint8Array>
      /** The stored turn of the same Idempotency-Key. */
      replayed?: true
    }
  | { ok: false; refusal: TurnRefusal }

export type FinishedTurn =
  | { ok: true; response: ChatResponse; replayed?: true }
  | { ok: false; refusal: TurnRefusal }
  | { ok: false; failed: FailedTurn }

/** The ids of a turn that failed, so that the same can be asked again in its session. */
export type FailedTurn = Pick<ChatResponse, 'session_id' | 'message_id'>
