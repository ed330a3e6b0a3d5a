import type { AgentFacts } from '../agents/resolve-agent'
import type { Language } from '../config'
import type { SpaceIdentity } from '../context'
import type { SpaceAddress } from '../platform/stubs'
import type { TenantFacts } from '../tenants/tenant-facts'
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

/** What the user told of themselves in their profile. */
export interface UserFacts {
  name: string | null
  city: string | null
  timezone: string | null
  /** The one that they registered in. */
  language: Language | null
}

export const NO_FACTS: UserFacts = { name: null, city: null, timezone: null, language: null }

/** Who the user's object serves: checked against what it stored at its first call. */
export interface SpaceCaller {
  address: SpaceAddress
  tag: number
  /** The tenant's key as stored in D1; the object unwraps it with the deployment's master keys. */
  wrappedTenantKey: string
  /** Version of the token that identified the user, null behind a tenant key. */
  tokenVersion: number | null
  /** Whether the tenant is in privacy mode; unknown leaves what the object last heard. */
  privacy?: boolean
  /** The tenant's own model, sealed; null for the platform's, unknown leaves what the object last heard. */
  byok?: string | null
  /** When the tenant was last changed, as the caller read it: an older word does not undo a newer one. */
  settingsAt?: number
  /** Whether several people stand behind this user (a key that names no end user): nothing is remembered of them. */
  shared?: boolean
}

/** One message to answer, as plain data for the user's object. */
export interface TurnRequest {
  caller: SpaceCaller
  keyId: string | null
  /** Tokens a month, null for none. */
  ceiling: number | null
  rates: { user: { limit: number; windowS: number }; tenant: { limit: number; windowS: number } }
  agent: AgentFacts
  tenant: TenantFacts
  /** False when the caller named no agent: a session that belongs to another one then says so. */
  agentNamed: boolean
  sessionId: string | null
  /** A foreign conversation id that stands for a session (UI message protocol). */
  sessionAlias: string | null
  channel: string
  message: string
  /** Set when the message was spoken. */
  transcript: string | null
  images: ImageInput[]
  k: number | null
  /** Language of system messages; the reply follows the conversation. */
  lang: Language
  place: EdgePlace | null
  origin: string
  /** A tenant-key caller sees every field of the sources. */
  seesSources: boolean
  idempotency: { key: string; bodyHash: string } | null
  /** Earlier messages given by the caller (OpenAI protocol) instead of the session's own. */
  history: { role: 'user' | 'assistant'; content: string }[] | null
  maxOutputTokens: number | null
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

/** Why a turn did not begin; the route turns it into the refusal of the contract. */
export type TurnRefusal =
  | {
      reason:
        | 'token'
        | 'user_gone'
        | 'session'
        | 'busy'
        | 'merging'
        | 'revoked'
        | 'suspended'
        | 'repeat_differs'
        | 'repeat_running'
    }
  | { reason: 'agent'; agentName: string }
  /** The space went over to another one, where its ids are found now. */
  | { reason: 'moved'; to: SpaceIdentity }
  | { reason: 'rate' | 'quota'; retryAfterS: number }

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
  | { ok: false; failed: { code: string; detail: string } }
