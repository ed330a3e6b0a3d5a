import type { TurnRefusal } from './caller'

/** Why a space's object did not do what it was asked for; `spaceError` says it in the contract's words. */
export type SpaceRefusal =
  | TurnRefusal
  | {
      reason:
        | 'source'
        | 'attachment'
        | 'reminder'
        | 'not_pending'
        | 'reminders_full'
        | 'document'
        | 'documents_full'
        | 'remembered'
        | 'no_handoff'
        | 'merge_too_large'
        | 'unavailable'
    }
  | { reason: 'due'; field: 'due_at' | 'timezone'; problem: string }

/** What a space's object answers. Expected refusals are data: error classes do not cross to the caller whole. */
export type Answer<T, R = SpaceRefusal> = { ok: true; value: T } | { ok: false; refusal: R }

export const ok = <T>(value: T): Answer<T> => ({ ok: true, value })

/** Reasons that say all there is to say. */
type PlainReason = Exclude<
  SpaceRefusal['reason'],
  'due' | 'replaces' | 'agent' | 'moved' | 'rate' | 'quota' | 'user_quota'
>

export const refuse = (reason: PlainReason): Answer<never> => ({ ok: false, refusal: { reason } })
