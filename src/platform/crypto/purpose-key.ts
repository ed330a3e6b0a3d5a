import { type Bytes, encodeParts } from './bytes'
import type { Keyring } from './keyring'
import { deriveHmac, importBase } from './keys'

/** HMAC-SHA-256 keys for one purpose: the primary signs, all of the ring verify (so a rotation breaks no cursor). */
export interface PurposeKey {
  readonly primary: CryptoKey
  readonly all: readonly CryptoKey[]
}

const derived = new WeakMap<Keyring, Map<string, PurposeKey>>()

/** HKDF-SHA-256(ring key, info = "purpose/v1", purpose). The ring's secret itself signs only user tokens. Kept per ring. */
export async function derivePurposeKey(ring: Keyring, purpose: string): Promise<PurposeKey> {
  const known = derived.get(ring) ?? new Map<string, PurposeKey>()
  derived.set(ring, known)
  const found = known.get(purpose)
  if (found) return found

  const info = encodeParts(['purpose/v1', purpose])
  const derive = async (bytes: Bytes) => deriveHmac(await importBase(bytes), info)
  const primary = await derive(ring.primary.bytes)
  const older = [...ring.keys.values()].filter((key) => key.id !== ring.primary.id)
  const all = [primary, ...(await Promise.all(older.map((key) => derive(key.bytes))))]
  const made = { primary, all }
  known.set(purpose, made)
  return made
}

/** HMAC-SHA-256, 32 bytes. */
export async function signMac(key: PurposeKey, data: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key.primary, data))
}

/** Whether any key of the ring made this; the comparison is constant-time. */
export async function verifyMac(key: PurposeKey, mac: Bytes, data: Bytes): Promise<boolean> {
  for (const one of key.all) {
    if (await crypto.subtle.verify('HMAC', one, mac, data)) return true
  }
  return false
}
