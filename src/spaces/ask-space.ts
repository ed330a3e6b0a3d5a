import type {
  AskedArgs,
  AskedPart,
  AskedValue,
  AskedVerb,
} from '../../durable-objects/user-space/core/verbs'
import { LIMITS, OUTAGE_RETRY_S, REMINDERS } from '../config/limits'
import type { SpaceIdentity, UserContext } from '../context'
import { type ApiError, conflict, invalid, notFound, unavailable } from '../errors'
import { askPart } from '../platform/stubs'
import type { Answer, SpaceRefusal } from './answer'
import type { SpaceCaller } from './caller'
import { callerOf, followMove, refusalError, refusalOf } from './caller'

/** Calls a method of a part of a space as its user; follows the space where it was merged. @throws ApiError for what it refuses. */
export function askSpace<P extends AskedPart, V extends AskedVerb<P>>(
  ctx: UserContext,
  space: SpaceIdentity,
  part: P,
  verb: V,
  ...args: AskedArgs<P, V>
): Promise<AskedValue<P, V>> {
  return followSpace(ctx, space, (caller) => askPart(ctx.env, caller, part, verb, ...args))
}

/** As `askSpace`, for methods of the object itself. @param ask calls one as the given caller; may be called more than once */
export async function followSpace<T>(
  ctx: UserContext,
  space: SpaceIdentity,
  ask: (caller: SpaceCaller) => Promise<Answer<T>>,
): Promise<T> {
  for (let hop = 0; ; hop++) {
    const answer = await ask(callerOf({ ...ctx, space }))
    if (answer.ok) return answer.value
    const { refusal } = answer
    const next = refusal.reason === 'moved' ? followMove(ctx, refusal, hop) : null
    if (!next) throw refusal.reason === 'user_gone' ? refusalOf(ctx, refusal) : spaceError(refusal)
    space = next
  }
}

/** The answer that the contract gives to a refusal of a space's part. */
export function spaceError(refusal: SpaceRefusal): ApiError {
  switch (refusal.reason) {
    case 'source':
      return notFound('Source')
    case 'attachment':
      return notFound('Attachment')
    case 'reminder':
      return notFound('Reminder')
    case 'not_pending':
      return conflict('The reminder is no longer pending', 'reminder_not_pending')
    case 'reminders_full':
      return conflict(`At most ${REMINDERS.pending} reminders may be pending`, 'reminder_limit')
    case 'due':
      return invalid(['body', refusal.field], refusal.problem)
    case 'document':
      return notFound('Document')
    case 'documents_full':
      return conflict(`A space holds at most ${LIMITS.spaceDocuments} documents; delete one first`)
    case 'merge_too_large':
      return conflict(
        `Together the spaces would hold more than ${LIMITS.spaceDocuments} documents or ${LIMITS.chunksPerSpace} passages; delete documents first`,
        'merge_too_large',
      )
    case 'unavailable':
      return unavailable(undefined, OUTAGE_RETRY_S)
    case 'no_handoff':
      return conflict('Nobody has asked for a person in this session', 'no_handoff')
    case 'remembered':
      return notFound('Agent')
    default:
      return refusalError(refusal)
  }
}
