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

// The only place that builds the names of Durable Objects. A new stub for each call; callers repeat reads only.

/** The meter of one tenant: tokens, rate windows, revoked keys. */
export function tenantMeter(env: Env, tenantId: string) {
  return env.TENANT_METER.get(env.TENANT_METER.idFromName(tenantId))
}

/** Rate windows of one class of calls from one address, for callers of whom no tenant is known. */
export function addressMeter(env: Env, windowClass: string, address: string) {
  return env.TENANT_METER.get(env.TENANT_METER.idFromName(`${ADDRESS}${windowClass}:${address}`))
}
const ADDRESS = 'address:'

export const isAddressMeter = ({ name }: DurableObjectId): boolean =>
  name?.startsWith(ADDRESS) === true

export interface SpaceAddress {
  tenantId: string
  userId: string
  spaceId: string
}

/** The object of one user's space. */
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

/** Calls a method of a part of a space for a background job; whether a merged space hands it on, `WORK` says. */
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

/** The object of one knowledge base. */
export function knowledgeBase(env: Env, tenantId: string, baseId: string) {
  return env.KNOWLEDGE_BASE.get(env.KNOWLEDGE_BASE.idFromName(`${tenantId}/${baseId}`))
}
