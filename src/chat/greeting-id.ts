import { DAY_MS } from '../config/limits'
import type { Config } from '../config/read-config'
import type { TenantRow } from '../db/tables/tenants'
import { openField, SealError, sealField } from '../platform/crypto/field'
import { tenantKey } from '../platform/secrets'

/** A page that stays open for longer has to ask for the opening again. */
const GOOD_FOR_MS = 30 * DAY_MS

/** What an agent said before anybody else did. */
export interface Greeting {
  agentId: string
  text: string
}

type Tenant = Pick<TenantRow, 'id' | 'wrappedKey'>

const placeOf = ({ id }: Tenant) => [id, 'openings', 'greeting', 'visitor'] as const

/** A greeting as its reader sends it back with their first message: so nobody puts words into an agent's mouth. */
export async function sealGreeting(
  config: Config,
  tenant: Tenant,
  greeting: Greeting,
  now: number,
): Promise<string> {
  const text = JSON.stringify({ ...greeting, until: now + GOOD_FOR_MS })
  return sealField(await tenantKey(config, tenant), placeOf(tenant), text)
}

/** Null for what is no greeting of the tenant's, or one of too long ago. */
export async function openGreeting(
  config: Config,
  tenant: Tenant,
  sealed: string,
  now: number,
): Promise<Greeting | null> {
  try {
    const text = await openField(await tenantKey(config, tenant), placeOf(tenant), sealed)
    const { until, ...greeting } = JSON.parse(text) as Greeting & { until: number }
    return until > now ? greeting : null
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
