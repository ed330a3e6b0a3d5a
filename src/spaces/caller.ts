import { agentNotOffered } from '../agents/resolve-agent'
import type { Newcomer, SpaceIdentity, UserContext } from '../context'
import {
  type ApiError,
  conflict,
  forbidden,
  gone,
  invalid,
  invalidApiKey,
  invalidToken,
  notFound,
  quotaExceeded,
  rateLimited,
  userQuotaExceeded,
} from '../errors'
import { sharedUserId } from '../platform/ids'
import { dropIsolateCaches } from '../platform/isolate-caches'
import type { SpaceAddress } from '../platform/stubs'

/** Who calls a space's object, as the Worker vouches for it; the object checks it against what it stored at its first call. */
export interface SpaceCaller {
  address: SpaceAddress
  tag: number
  /** The tenant's key as stored in D1; the object unwraps it with the deployment's master keys. */
  wrappedTenantKey: string
  /** Version of the token that identified the user, null behind a tenant key. */
  tokenVersion: number | null
  /** Whether the tenant is in privacy mode. Absent: the object keeps what it knows. */
  privacy?: boolean
  /** The tenant's own model, sealed; null for the platform's. Absent: the object keeps what it knows. */
  byok?: string | null
  /** `updatedAt` of the tenant as the caller read it: settings older than those the object knows are ignored. */
  settingsAt?: number
  /** Whether several people stand behind this user (a key that names no end user): nothing is remembered of them. */
  shared?: boolean
  /** Present where this very call made the user. */
  newcomer?: Newcomer
}

/** The caller as whom a user's request asks its space. */
export function callerOf(ctx: UserContext): SpaceCaller {
  return {
    address: { tenantId: ctx.tenant.id, userId: ctx.user.id, spaceId: ctx.space.id },
    tag: ctx.space.tag,
    wrappedTenantKey: ctx.tenant.wrappedKey,
    tokenVersion: ctx.user.tokenVersion,
    privacy: ctx.tenant.privacyMode,
    byok: ctx.tenant.byok,
    settingsAt: ctx.tenant.updatedAt,
    shared: ctx.user.externalId === sharedUserId(ctx.actor.keyId),
    ...(ctx.newcomer && { newcomer: ctx.newcomer }),
  }
}

/** Why a turn did not begin; `refusalError` says it in the contract's words. */
export type TurnRefusal =
  | {
      reason:
        | 'token'
        | 'user_gone'
        | 'session'
        | 'message'
        | 'busy'
        | 'merging'
        | 'revoked'
        | 'suspended'
        | 'repeat_differs'
        | 'repeat_running'
        | 'repeat_gone'
        | 'agent_withdrawn'
        | 'space_gone'
    }
  | { reason: 'agent'; agentId: string }
  | { reason: 'replaces'; field: 'message' | 'replaces'; problem: string }
  /** The space was merged into another one, where its sessions and messages are now. */
  | { reason: 'moved'; to: SpaceIdentity }
  | { reason: 'rate' | 'quota' | 'user_quota'; retryAfterS: number }

/** A space that took in another one may itself be merged: how often a call follows before it gives up. */
const MOST_HOPS = 3

/**
 * Where to ask again when the space was merged into another one, which this isolate did not know yet; null for other
 * refusals, after `MOST_HOPS`, and for a caller who named the old space by X-Space-Id: that one is gone.
 * @param hop how often this call was led on already
 */
export function followMove(
  ctx: UserContext,
  refusal: TurnRefusal,
  hop: number,
): SpaceIdentity | null {
  if (refusal.reason !== 'moved' || ctx.spaceNamed || hop >= MOST_HOPS) return null
  dropIsolateCaches()
  return refusal.to
}

/**
 * As `refusalError`, but a deleted user of a tenant key is 404 instead of 401: the key is good, and its X-End-User may
 * begin anew as a new user.
 */
export function refusalOf(ctx: UserContext, refusal: TurnRefusal): ApiError {
  if (refusal.reason !== 'user_gone' || !ctx.byKey) return refusalError(refusal)
  dropIsolateCaches()
  return notFound('User')
}

/** The answer that the contract gives to a refusal of a space's object. */
export function refusalError(refusal: TurnRefusal): ApiError {
  switch (refusal.reason) {
    case 'token':
    case 'user_gone':
      return invalidToken()
    case 'session':
    case 'agent':
      return notFound('Session')
    case 'message':
      return notFound('Message')
    case 'replaces':
      return invalid(['body', refusal.field], refusal.problem)
    case 'agent_withdrawn':
      return agentNotOffered()
    case 'busy':
      return conflict('A turn is already running in this session', 'turn_running')
    case 'space_gone':
    case 'moved':
      return notFound('Space')
    case 'merging':
      return conflict('Space is being merged')
    case 'revoked':
      return invalidApiKey()
    case 'suspended':
      return forbidden('Tenant is not active')
    case 'repeat_differs':
      return invalid(['header', 'idempotency-key'], 'the key was used with another body')
    case 'repeat_running':
      return conflict('Request in progress')
    case 'repeat_gone':
      return gone('The answer to this Idempotency-Key was deleted since', 'answer_gone')
    case 'rate':
      return rateLimited(refusal.retryAfterS)
    case 'quota':
      return quotaExceeded(refusal.retryAfterS)
    case 'user_quota':
      return userQuotaExceeded(refusal.retryAfterS)
  }
}
