import { LIMITS, REMINDERS } from '../config/limits'
import type { SpaceIdentity, UserContext } from '../context'
import { type ApiError, conflict, invalid, notFound, unavailable } from '../errors'
import { userSpace } from '../platform/stubs'
import type { SpaceCaller, TurnRefusal } from './caller'
import { callerOf, followMove, refusalError, refusalOf } from './caller'

export type SpaceStub = ReturnType<typeof userSpace>
export interface Refused {
  ok: false
  refusal: { reason: string }
}

/**
 * Calls a method of a space's object as its user.
 * @param ask the method to call. @throws ApiError for what the object refuses.
 */
export async function askSpace<T>(
  ctx: UserContext,
  space: SpaceIdentity,
  ask: (stub: SpaceStub, caller: SpaceCaller) => Promise<{ ok: true; value: T } | Refused>,
): Promise<T> {
  for (let hop = 0; ; hop++) {
    const caller = callerOf({ ...ctx, space })
    const answer = await ask(userSpace(ctx.env, caller.address), caller)
    if (answer.ok) return answer.value
    const next = followMove(ctx, answer.refusal as TurnRefusal, hop)
    if (!next && answer.refusal.reason === 'user_gone')
      throw refusalOf(ctx, answer.refusal as TurnRefusal)
    if (!next) throw spaceError(answer.refusal)
    space = next
  }
}

export function spaceError(refusal: { reason: string }): ApiError {
  if (refusal.reason === 'message') return notFound('Message')
  if (refusal.reason === 'source') return notFound('Source')
  if (refusal.reason === 'attachment') return notFound('Attachment')
  if (refusal.reason === 'reminder') return notFound('Reminder')
  if (refusal.reason === 'not_pending') {
    return conflict('The reminder is no longer pending', 'reminder_not_pending')
  }
  if (refusal.reason === 'reminders_full') {
    return conflict(`At most ${REMINDERS.pending} reminders may be pending`, 'reminder_limit')
  }
  if (refusal.reason === 'due') {
    const { field, problem } = refusal as { field: string; problem: string } & typeof refusal
    return invalid(['body', field], problem)
  }
  if (refusal.reason === 'document') return notFound('Document')
  if (refusal.reason === 'documents_full') {
    return conflict(`A space holds at most ${LIMITS.spaceDocuments} documents; delete one first`)
  }
  if (refusal.reason === 'merge_too_large') {
    return conflict(
      `Together the spaces would hold more than ${LIMITS.spaceDocuments} documents or ${LIMITS.chunksPerSpace} passages; delete documents first`,
      'merge_too_large',
    )
  }
  if (refusal.reason === 'unavailable') return unavailable()
  if (refusal.reason === 'remembered') return notFound('Agent')
  return refusalError(refusal as TurnRefusal)
}
