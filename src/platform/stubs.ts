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

export function knowledgeBase(env: Env, tenantId: string, baseId: string) {
  return env.KNOWLEDGE_BASE.get(env.KNOWLEDGE_BASE.idFromName(`${tenantId}/${baseId}`))
}
