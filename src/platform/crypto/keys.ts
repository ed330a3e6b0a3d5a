import { toBase64url } from './base64url'
import { type Bytes, encodeParts, randomBytes, utf8 } from './bytes'
import type { FieldKey } from './field'
import type { Keyring } from './keyring'
import { rewrap, unwrapRaw, wrappedBy, wrapRaw } from './wrap'

/** AES keys derived from the ring of MASTER_KEYS for one purpose. The master keys proper wrap tenant keys, nothing else. */
export interface MasterKeys {
  readonly primary: FieldKey
  readonly all: readonly FieldKey[]
}

/** A tenant's key: wraps its users' keys, seals its secrets (it is a FieldKey), and gives the blind index its own key. */
export interface TenantKey extends FieldKey {
  readonly tenant: string
  readonly base: CryptoKey
}

/** A user's key. Only space keys are derived from it; destroying its wrapped form destroys all they sealed. */
export interface UserKey {
  readonly id: string
  readonly tenant: string
  readonly user: string
  readonly base: CryptoKey
}

const KEY_BYTES = 32
const KEY_ID_BYTES = 9

/** AES key i = HKDF-SHA-256(ring key i, info "master/v1"), so ring keys may be longer than 256 bits. */
export function importMasterKeys(ring: Keyring): Promise<MasterKeys> {
  return deriveRing(ring, 'master/v1')
}

/** As the master keys, with info "platform/v1": seal the little that belongs to no tenant. */
export function importPlatformKeys(ring: Keyring): Promise<MasterKeys> {
  return deriveRing(ring, 'platform/v1')
}

async function deriveRing(ring: Keyring, info: string): Promise<MasterKeys> {
  const all = await Promise.all(
    [...ring.keys.values()].map(async ({ id, bytes }) => {
      const base = await importBase(bytes)
      return { id, key: await deriveAes(base, utf8(''), encodeParts([info])) }
    }),
  )
  const primary = all.find((key) => key.id === ring.primary.id)
  if (!primary) throw new Error('The ring has no primary key')
  return { primary, all }
}

export async function newTenantKey(
  master: MasterKeys,
  tenant: string,
): Promise<{ key: TenantKey; wrapped: string }> {
  const id = newKeyId()
  const raw = randomBytes(KEY_BYTES)
  const wrapped = await wrapRaw(master.primary, { type: 'tenant', tenant, user: '' }, id, raw)
  return { key: await importTenantKey(id, tenant, raw), wrapped }
}

/** Throws SealError when the wrapping is another tenant's, damaged, or by a master key that is gone. */
export async function unwrapTenantKey(
  master: MasterKeys,
  tenant: string,
  wrapped: string,
): Promise<TenantKey> {
  const { id, raw } = await unwrapRaw(master.all, { type: 'tenant', tenant, user: '' }, wrapped)
  return importTenantKey(id, tenant, raw)
}

/** Rotation: whether a tenant key is still wrapped by an older master key. Scan, rewrap, store, repeat. */
export function needsRewrap(wrapped: string, primary: FieldKey): boolean {
  return wrappedBy(wrapped) !== primary.id
}

/** The same tenant key under the primary master key. Safe to run twice. */
export function rewrapTenantKey(
  master: MasterKeys,
  tenant: string,
  wrapped: string,
): Promise<string> {
  return rewrap(master.all, master.primary, { type: 'tenant', tenant, user: '' }, wrapped)
}

export async function newUserKey(
  tenantKey: TenantKey,
  user: string,
): Promise<{ key: UserKey; wrapped: string }> {
  const { tenant } = tenantKey
  const id = newKeyId()
  const raw = randomBytes(KEY_BYTES)
  const wrapped = await wrapRaw(tenantKey, { type: 'user', tenant, user }, id, raw)
  return { key: { id, tenant, user, base: await importBase(raw) }, wrapped }
}

/** Throws SealError when the wrapping is another user's or tenant's, or damaged. */
export async function unwrapUserKey(
  tenantKey: TenantKey,
  user: string,
  wrapped: string,
): Promise<UserKey> {
  const { tenant } = tenantKey
  const { id, raw } = await unwrapRaw(tenantKey, { type: 'user', tenant, user }, wrapped)
  return { id, tenant, user, base: await importBase(raw) }
}

/** HKDF-SHA-256(user key, salt = space id, info = "field/v1", tenant, user). Derive once, keep while the object is awake. */
export async function deriveSpaceKey(userKey: UserKey, space: string): Promise<FieldKey> {
  const info = encodeParts(['field/v1', userKey.tenant, userKey.user])
  return { id: userKey.id, key: await deriveAes(userKey.base, utf8(space), info) }
}

async function importTenantKey(id: string, tenant: string, raw: Bytes): Promise<TenantKey> {
  return { id, tenant, key: await importAes(raw), base: await importBase(raw) }
}

export function importAes(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** A key to derive others from, never used directly. */
export function importBase(raw: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveKey'])
}

/** AES-256-GCM key: HKDF-SHA-256(base, salt, info). */
export function deriveAes(base: CryptoKey, salt: Bytes, info: Bytes): Promise<CryptoKey> {
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** HMAC-SHA-256 key from a base key, for one named purpose. */
export function deriveHmac(base: CryptoKey, info: Bytes): Promise<CryptoKey> {
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info },
    base,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign', 'verify'],
  )
}

function newKeyId(): string {
  return toBase64url(randomBytes(KEY_ID_BYTES))
}
