import { MINUTE_MS } from '../config/limits'
import type { UsageKind } from '../config/names'
import type { TenantRow } from '../db/tables/tenants'
import { forbidden, quotaExceeded, rateLimited, userQuotaExceeded } from '../errors'
import { createLog } from '../log'
import { tenantMeter } from '../platform/stubs'
import type { DayRule, UsageEntry } from './meter-types'

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
  const done = await work().catch(async (error: unknown) => {
    await tell(env, tenant.id, id, [])
    throw error
  })
  const { value, model, inputTokens, outputTokens, estimatedTokens } = done
  await tell(env, tenant.id, id, [
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
}

/** The meter takes an id once, so it is told again; what it never hears takes nothing away from what the work came to. */
async function tell(env: Env, tenantId: string, id: string, entries: UsageEntry[]): Promise<void> {
  const settle = () => tenantMeter(env, tenantId).settle(tenantId, id, entries)
  await settle()
    .catch(settle)
    .catch((error: unknown) => createLog('usage', { tenant_id: tenantId }).error('not_told', error))
}
