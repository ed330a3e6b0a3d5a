import { toBase64url } from './base64url'
import { encodeParts } from './bytes'
import { deriveHmac, type TenantKey } from './keys'

/** The tenant's key for e-mail look-ups: HKDF of the tenant key, used for nothing else. Derive once, keep. */
export function deriveEmailIndexKey(tenantKey: TenantKey): Promise<CryptoKey> {
  return deriveHmac(tenantKey.base, encodeParts(['blind-index/v1', tenantKey.tenant, 'email']))
}

/** The searchable stand-in of an address: base64url(HMAC-SHA-256(normalised address)). Equal addresses give equal texts. */
export async function emailIndex(key: CryptoKey, email: string): Promise<string> {
  const data = encodeParts(['email/v1', normalizeEmail(email)])
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, data)))
}

/** NFC, no surrounding space, lower case: one account for Ada@Example.com and ada@example.com. */
function normalizeEmail(email: string): string {
  return email.normalize('NFC').trim().toLowerCase()
}

/** The tenant's key for look-ups of providers' ids. Derive once, keep. */
export function deriveSubjectIndexKey(tenantKey: TenantKey): Promise<CryptoKey> {
  return deriveHmac(tenantKey.base, encodeParts(['blind-index/v1', tenantKey.tenant, 'subject']))
}

/** The searchable stand-in of a provider's id of a person, which is case-sensitive and taken as it is. */
export async function subjectIndex(
  key: CryptoKey,
  provider: string,
  subject: string,
): Promise<string> {
  const data = encodeParts(['subject/v1', provider, subject])
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, data)))
}

/** The tenant's key for look-ups of chats at messaging channels. Derive once, keep. */
export function deriveChatIndexKey(tenantKey: TenantKey): Promise<CryptoKey> {
  return deriveHmac(tenantKey.base, encodeParts(['blind-index/v1', tenantKey.tenant, 'chat']))
}

/** The searchable stand-in of a channel's id of a chat. */
export async function chatIndex(key: CryptoKey, channel: string, chat: string): Promise<string> {
  const data = encodeParts(['chat/v1', channel, chat])
  return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, data)))
}
