import { callerOf, refusalError } from '../chat/start-turn'
import type { SpaceCaller, TurnRefusal } from '../chat/turn'
import { type ApiError, notFound } from '../errors'
import type { SpaceIdentity, UserContext } from '../http/context'
import { userSpace } from '../platform/stubs'

type SpaceStub = ReturnType<typeof userSpace>
interface Refused {
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
  const caller = callerOf({ ...ctx, space })
  const answer = await ask(userSpace(ctx.env, caller.address), caller)
  if (!answer.ok) throw spaceError(answer.refusal)
  return answer.value
}

function spaceError(refusal: { reason: string }): ApiError {
  if (refusal.reason === 'message') return notFound('Message')
  if (refusal.reason === 'attachment') return notFound('Attachment')
  return refusalError(refusal as TurnRefusal)
}
