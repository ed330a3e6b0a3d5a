import { type Bytes, randomBytes } from './bytes'
import type { FieldKey, SealContext } from './field'
import { importAes, type UserKey } from './keys'
import { rewrap, unwrapRaw, type WrapContext, wrapRaw } from './wrap'

const KEY_BYTES = 32
type Owner = Pick<UserKey, 'tenant' | 'user'>

/**
 * A random key for one attachment, wrapped under its space's key. A merge of spaces rewraps it and leaves the bytes,
 * so their context (`attachmentContext`) names no space.
 */
export async function newAttachmentKey(
  spaceKey: FieldKey,
  owner: Owner,
  attachment: string,
): Promise<{ key: FieldKey; wrapped: string }> {
  const raw: Bytes = randomBytes(KEY_BYTES)
  const wrapped = await wrapRaw(spaceKey, wrapContext(owner, attachment), attachment, raw)
  return { key: { id: attachment, key: await importAes(raw) }, wrapped }
}

/** Throws SealError when the wrapping is of another attachment, user or space. */
export async function unwrapAttachmentKey(
  spaceKey: FieldKey,
  owner: Owner,
  attachment: string,
  wrapped: string,
): Promise<FieldKey> {
  const { id, raw } = await unwrapRaw(spaceKey, wrapContext(owner, attachment), wrapped)
  return { id, key: await importAes(raw) }
}

/** Merge: the same attachment key under the target space's key. */
export function rewrapAttachmentKey(
  from: FieldKey,
  to: FieldKey,
  owner: Owner,
  attachment: string,
  wrapped: string,
): Promise<string> {
  return rewrap(from, to, wrapContext(owner, attachment), wrapped)
}

/** The place of an attachment's bytes, for `sealBytes`. */
export function attachmentContext(owner: Owner, attachment: string): SealContext {
  return [owner.tenant, owner.user, 'attachments', 'bytes', attachment]
}

function wrapContext(owner: Owner, keyId: string): WrapContext {
  return { type: 'attachment', tenant: owner.tenant, user: owner.user, keyId }
}
