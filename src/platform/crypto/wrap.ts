import { fromBase64url, toBase64url } from './base64url'
import { type Bytes, encodeParts } from './bytes'
import { decrypt, encrypt, type FieldKey, pickKey, SealError } from './field'

/** What a wrapped key is and whose: bound into the wrapping, so that a wrapped key serves nobody else. */
export interface WrapContext {
  readonly type: 'tenant' | 'user' | 'attachment'
  readonly tenant: string
  /** Empty for a tenant's own key. */
  readonly user: string
  /** The id that the wrapped key must have, where the caller knows it. */
  readonly keyId?: string
}

const WRAPPED_FORM = /^w1\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]+)$/
const KEY_BYTES = 32

/** Wraps 256 bits: `w1.<wrapping key id>.<key id>.<base64url(nonce|ciphertext|tag)>`, AAD = type, tenant, user, key id. */
export async function wrapRaw(
  by: FieldKey,
  context: WrapContext,
  keyId: string,
  raw: Bytes,
): Promise<string> {
  const box = await encrypt(by.key, aadOf(context, keyId), raw)
  return `w1.${by.id}.${keyId}.${toBase64url(box)}`
}

/** Throws SealError when the wrapping is damaged, foreign, or by a key that is not at hand. */
export async function unwrapRaw(
  by: FieldKey | readonly FieldKey[],
  context: WrapContext,
  wrapped: string,
): Promise<{ id: string; raw: Bytes }> {
  const [, byId, id, encoded] = WRAPPED_FORM.exec(wrapped) ?? []
  const box = encoded === undefined ? null : fromBase64url(encoded)
  if (byId === undefined || id === undefined || !box) throw new SealError('format')
  const raw = await decrypt(pickKey(by, byId), aadOf(context, context.keyId ?? id), box)
  if (raw.length !== KEY_BYTES) throw new SealError('format')
  return { id, raw }
}

/** Opens with the old key and wraps the same key by the new one; its id, and so all it sealed, stays. */
export async function rewrap(
  from: FieldKey | readonly FieldKey[],
  to: FieldKey,
  context: WrapContext,
  wrapped: string,
): Promise<string> {
  const { id, raw } = await unwrapRaw(from, context, wrapped)
  return wrapRaw(to, context, id, raw)
}

/** Id of the key that wrapped this; null when it is no wrapped key. */
export function wrappedBy(wrapped: string): string | null {
  return WRAPPED_FORM.exec(wrapped)?.[1] ?? null
}

function aadOf(context: WrapContext, keyId: string): Bytes {
  return encodeParts([`${context.type}-key/v1`, context.tenant, context.user, keyId])
}
