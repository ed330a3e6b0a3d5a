import type { Config } from '../config/read-config'
import type { TenantRow } from '../db/tables/tenants'
import { type Keyring, parseKeyring } from './crypto/keyring'
import {
  importMasterKeys,
  importPlatformKeys,
  type MasterKeys,
  type TenantKey,
  unwrapTenantKey,
} from './crypto/keys'
import { derivePurposeKey, type PurposeKey } from './crypto/purpose-key'

interface Keys {
  jwt: Keyring
  master: Promise<MasterKeys>
  tenants: Map<string, Promise<TenantKey>>
}

const TENANT_KEYS_KEPT = 1000
const keys = new WeakMap<Config, Keys>()

/** The deployment's keys, imported once per isolate. @throws ConfigError naming a secret that is missing, weak or no ring. */
export function keysOf(config: Config): Keys {
  let known = keys.get(config)
  if (!known) {
    const master = importMasterKeys(parseKeyring(config.masterKeys, 'MASTER_KEYS'))
    known = { jwt: parseKeyring(config.jwtSecret, 'JWT_SECRET'), master, tenants: new Map() }
    keys.set(config, known)
  }
  return known
}

export const jwtRing = (config: Config): Keyring => keysOf(config).jwt
export const masterKeys = (config: Config): Promise<MasterKeys> => keysOf(config).master

/** The deployment's own keys, for answers to the operator. Rare enough to be derived anew. */
export const platformKeys = (config: Config): Promise<MasterKeys> =>
  importPlatformKeys(parseKeyring(config.masterKeys, 'MASTER_KEYS'))

/** An HMAC key for one purpose: cursors, state, anything that is not a user token. */
export const purposeKey = (config: Config, purpose: string): Promise<PurposeKey> =>
  derivePurposeKey(jwtRing(config), purpose)

/** A tenant's key, unwrapped once per isolate. @throws SealError when the wrapping is not this tenant's. */
export function tenantKey(
  config: Config,
  tenant: Pick<TenantRow, 'id' | 'wrappedKey'>,
): Promise<TenantKey> {
  const { tenants, master } = keysOf(config)
  const name = `${tenant.id} ${tenant.wrappedKey}`
  let key = tenants.get(name)
  if (!key) {
    if (tenants.size >= TENANT_KEYS_KEPT) tenants.clear()
    key = master.then((ring) => unwrapTenantKey(ring, tenant.id, tenant.wrappedKey))
    key.catch(() => tenants.delete(name))
    tenants.set(name, key)
  }
  return key
}
