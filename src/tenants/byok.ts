import { EGRESS, MODEL_DEADLINES } from '../config/limits'
import type { ByokProvider } from '../config/names'
import { type Config, configOf } from '../config/read-config'
import type { TenantRow } from '../db/tables/tenants'
import { egressContext } from '../domains/egress-context'
import type { TenantModel } from '../models/chat-model'
import { UNREADABLE_MODEL } from '../models/unreadable-model'
import { sealField } from '../platform/crypto/field'
import { readTenantField } from '../platform/crypto/read-sealed'
import { createGuardedFetch } from '../platform/egress'
import { tenantKey } from '../platform/secrets'

/** A tenant's own model as it is stored, sealed as a whole. */
export interface ByokConfig {
  provider: ByokProvider
  baseUrl: string | null
  apiKey: string | null
  model: string
}

const sealContext = (tenantId: string) => [tenantId, 'tenants', 'byok', tenantId] as const

export async function sealByok(
  config: Config,
  tenant: Pick<TenantRow, 'id' | 'wrappedKey'>,
  own: ByokConfig,
): Promise<string> {
  return sealField(await tenantKey(config, tenant), sealContext(tenant.id), JSON.stringify(own))
}

/** Null where none is set. */
export async function openByok(
  config: Config,
  tenant: Pick<TenantRow, 'id' | 'wrappedKey' | 'byok'>,
): Promise<ByokConfig | 'unreadable' | null> {
  const { id, byok } = tenant
  if (byok === null) return null
  const key = await tenantKey(config, tenant)
  const text = await readTenantField(key, sealContext(id), byok)
  return text === null ? 'unreadable' : (JSON.parse(text) as ByokConfig)
}

/** An answer of 32,768 tokens, each in a frame of its own. */
const MAX_ANSWER_BYTES = 16 * EGRESS.maxBytes

/**
 * The tenant's own model, ready for `resolveChatModel`; null where there is none, and one that fails where it does not open. One for each turn: at most five requests of
 * it are open at once, and its address is checked at every one.
 */
export async function openTenantModel(
  env: Env,
  tenant: Pick<TenantRow, 'id' | 'wrappedKey' | 'byok'>,
): Promise<TenantModel | null> {
  const own = await openByok(configOf(env), tenant)
  if (own === 'unreadable') return { provider: own, model: UNREADABLE_MODEL }
  return own && toTenantModel(env, tenant.id, own)
}

export function toTenantModel(
  env: Env,
  tenantId: string,
  own: ByokConfig,
  limits = {
    connectMs: MODEL_DEADLINES.firstPartMs,
    totalMs: MODEL_DEADLINES.totalMs,
    maxBytes: MAX_ANSWER_BYTES,
  },
): TenantModel {
  if (own.provider === 'workers-ai') return { provider: 'workers-ai', model: own.model }
  const guarded = createGuardedFetch(egressContext(env), limits)
  return {
    provider: 'openai-compatible',
    tenantId,
    baseUrl: own.baseUrl ?? '',
    apiKey: own.apiKey,
    model: own.model,
    fetch: (input, init) => guarded(input instanceof Request ? input.url : input, init),
  }
}
