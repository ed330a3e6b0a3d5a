import { MINUTE_MS } from '../config/limits'
import type { UsageKind } from '../config/names'
import type { TenantRow } from '../db/tables/tenants'
import { forbidden, quotaExceeded, rateLimited, userQuotaExceeded } from '../errors'
import { tenantMeter } from '../platform/stubs'
import type { DayRule } from './meter-types'

export interface MeteredCall {
  /** The same id again is booked once. */
  id: string
  agentId: string
  userId: string
  /** Omitted: the tenant's own work, in no space. */
  spaceId?: string
  kind: UsageKind
  /** Ceilings of the user's day, where the call is no part of a turn: a turn has been let in under them. */
  days?: readonly DayRule[]
}

export interface Metered<T> {
  value: T
  model: string
  inputTokens: number
  outputTokens: number
  estimatedTokens: number
}

const REFUSALS = { quota: quotaExceeded, rate: rateLimited, user_quota: userQuotaExceeded }

/**
 * Reserves `tokens`, works, and settles what was used; a failure gives the reservation back.
 * @throws quotaExceeded when the tenant's month is used up; rateLimited when what runs has reserved the rest of it;
 * userQuotaExceeded when the user's day is used up; what `work` throws.
 */
export async function meterCall<T>(
  env: Env,
  tenant: Pick<TenantRow, 'id' | 'monthlyTokenCeiling'>,
  { id, agentId, userId, spaceId = '', kind, days = [] }: MeteredCall,
  tokens: number,
  work: () => Promise<Metered<T>>,
): Promise<T> {
  const admitted = await tenantMeter(env, tenant.id).admit({
    id,
    keyId: null,
    windows: [],
    days,
    tokens,
    ceiling: tenant.monthlyTokenCeiling,
    expiresAt: Date.now() + 2 * MINUTE_MS,
  })
  if (!admitted.ok) {
    if (!('retryAfterS' in admitted)) throw forbidden('Tenant is not active')
    throw REFUSALS[admitted.reason](admitted.retryAfterS)
  }
  try {
    const { value, model, inputTokens, outputTokens, estimatedTokens } = await work()
    await tenantMeter(env, tenant.id).settle(tenant.id, id, [
      {
        agentId,
        userId,
        spaceId,
        model,
        kind,
        requests: 1,
        inputTokens,
        outputTokens,
        cachedTokens: 0,
        estimatedTokens,
        events: 1,
      },
    ])
    return value
  } catch (error) {
    await tenantMeter(env, tenant.id).settle(tenant.id, id, [])
    throw error
  }
}
