import type { RateName } from '../config/limits'
import type { BaseContext } from '../context'
import { rateLimited } from '../errors'
import { tenantMeter } from '../platform/stubs'

/**
 * Counts a call against an address of the tenant, whether or not there is an account: both are limited alike.
 * @param index the address's blind index. @throws rateLimited.
 */
export async function limitAccount(
  base: BaseContext,
  name: RateName,
  tenantId: string,
  index: string,
): Promise<void> {
  const rate = base.config.rates[name]
  const result = await tenantMeter(base.env, tenantId).take([{ ...rate, name: `${name} ${index}` }])
  if (!result.ok) throw rateLimited(result.retryAfterS)
}
