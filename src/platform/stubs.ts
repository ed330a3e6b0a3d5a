import type {
  AskedArgs,
  AskedPart,
  AskedValue,
  AskedVerb,
  WorkArgs,
  WorkPart,
  WorkResult,
  WorkVerb,
} from '../../durable-objects/user-space/core/verbs'
import type { Answer } from '../spaces/answer'
import type { SpaceCaller } from '../spaces/caller'

/** The only place that builds a Durable Object's name. A new stub per call; callers retry reads only. */

export function tenantMeter(env: Env, tenantId: string) {
  return env.TENANT_METER.get(env.TENANT_METER.idFromName(tenantId))
}

/** Rate windows of one class and address, apart from every tenant's. */
export function addressMeter(env: Env, windowClass: string, address: string) {
  return env.TENANT_METER.get(env.TENANT_METER.idFromName(`address:${windowClass}:${address}`))
}

export interface SpaceAddress {
  tenantId: string
  userId: string
  spaceId: string
}

export function userSpace(env: Env, address: SpaceAddress) {
  return env.USER_SPACE.get(
    env.USER_SPACE.idFromName(`${address.tenantId}/${address.userId}/${address.spaceId}`),
  )
}

/** Asks a part of a user's space as that user. */
export async function askPart<P extends AskedPart, V extends AskedVerb<P>>(
  env: Env,
  caller: SpaceCaller,
  part: P,
  verb: V,
  ...args: AskedArgs<P, V>
): Promise<Answer<AskedValue<P, V>>> {
  const answer = await userSpace(env, caller.address).ask(caller, part, verb, args)
  return answer as Answer<AskedValue<P, V>>
}

/** Has a part of a space do something that no user waits for; it is done where the space went, if it was merged meanwhile. */
export async function workIn<P extends WorkPart, V extends WorkVerb<P>>(
  env: Env,
  address: SpaceAddress,
  part: P,
  verb: V,
  ...args: WorkArgs<P, V>
): Promise<WorkResult<P, V>> {
  const result = await userSpace(env, address).work(part, verb, args)
  return result as WorkResult<P, V>
}

export function knowledgeBase(env: Env, tenantId: string, baseId: string) {
  return env.KNOWLEDGE_BASE.get(env.KNOWLEDGE_BASE.idFromName(`${tenantId}/${baseId}`))
}
