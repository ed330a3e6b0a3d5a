import { fromBase64url, toBase64url } from './base64url'
import { type Bytes, concatBytes, encodeParts, fromUtf8, randomBytes, utf8 } from './bytes'

/** An AES-256-GCM key and the id that envelopes name it by. */
export interface FieldKey {
  readonly id: string
  readonly key: CryptoKey
}

/**
 * Where a value lives. User data: tenant, user, space, table, column, row id. Tenant secrets: tenant, table, column,
 * row id. The envelope opens in no other place.
 */
export type SealContext =
  | readonly [
      tenant: string,
      user: string,
      space: string,
      table: string,
      column: string,
      row: string,
    ]
  | readonly [tenant: string, table: string, column: string, row: string]
  | readonly [tenant: string, user: string, table: string, column: string, row: string]

/** The space part for what belongs to a user but to no space (the profile). No space id has this form. */
export const NO_SPACE = 'user'

export type SealErrorReason = 'format' | 'unknown_key' | 'mismatch'

/** A value that cannot be opened: damaged, moved, or sealed by a key that is not at hand. Never replaced by a default. */
export class SealError extends Error {
  override readonly name = 'SealError'

  constructor(
    readonly reason: SealErrorReason,
    options?: ErrorOptions,
  ) {
    super(`A sealed value cannot be opened (${reason})`, options)
  }
}

const FORMAT = 'v1'
const BINARY_FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const TEXT_FORM = /^v1\.([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]+)$/

/** Seals a value for one place: `v1.<key id>.<base64url(nonce|ciphertext|tag)>`, AES-256-GCM, random nonce. */
export async function sealField(
  key: FieldKey,
  context: SealContext,
  plaintext: string | Bytes,
): Promise<string> {
  const data = typeof plaintext === 'string' ? utf8(plaintext) : plaintext
  const box = await encrypt(key.key, contextBytes(FORMAT, context), data)
  return `${FORMAT}.${key.id}.${toBase64url(box)}`
}

/** Opens what `sealField` made of a text. Throws SealError for any other place, key or form. */
export async function openField(
  keys: FieldKey | readonly FieldKey[],
  context: SealContext,
  sealed: string,
): Promise<string> {
  return fromUtf8(await openFieldBytes(keys, context, sealed))
}

/** As `openField`, for values that were sealed as bytes. */
export async function openFieldBytes(
  keys: FieldKey | readonly FieldKey[],
  context: SealContext,
  sealed: string,
): Promise<Bytes> {
  const [, keyId, encoded] = TEXT_FORM.exec(sealed) ?? []
  const box = encoded === undefined ? null : fromBase64url(encoded)
  if (keyId === undefined || !box) throw new SealError('format')
  return decrypt(pickKey(keys, keyId), contextBytes(FORMAT, context), box)
}

/** Seals a blob: version byte 1, length of the key id, key id, nonce, ciphertext, tag. */
export async function sealBytes(
  key: FieldKey,
  context: SealContext,
  plaintext: Bytes,
): Promise<Bytes> {
  const id = utf8(key.id)
  const box = await encrypt(key.key, contextBytes(`${FORMAT}/bytes`, context), plaintext)
  return concatBytes(Uint8Array.of(BINARY_FORMAT, id.length), id, box)
}

/** Opens what `sealBytes` made. Throws SealError for any other place, key or form. */
export async function openBytes(
  keys: FieldKey | readonly FieldKey[],
  context: SealContext,
  sealed: Bytes,
): Promise<Bytes> {
  const [version, idLength] = sealed
  if (version !== BINARY_FORMAT || idLength === undefined || sealed.length < 2 + idLength) {
    throw new SealError('format')
  }
  const keyId = String.fromCharCode(...sealed.subarray(2, 2 + idLength))
  const aad = contextBytes(`${FORMAT}/bytes`, context)
  return decrypt(pickKey(keys, keyId), aad, sealed.subarray(2 + idLength))
}

/** AES-256-GCM: nonce | ciphertext | tag. A key is good for 2^32 random nonces; a space or attachment stays far below. */
export async function encrypt(key: CryptoKey, aad: Bytes, plaintext: Bytes): Promise<Bytes> {
  const nonce = randomBytes(NONCE_BYTES)
  const body = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce, additionalData: aad, tagLength: TAG_BYTES * 8 },
    key,
    plaintext,
  )
  return concatBytes(nonce, new Uint8Array(body))
}

/** The inverse of `encrypt`. Throws SealError. */
export async function decrypt(key: CryptoKey, aad: Bytes, box: Bytes): Promise<Bytes> {
  if (box.length < NONCE_BYTES + TAG_BYTES) throw new SealError('format')
  const iv = box.subarray(0, NONCE_BYTES)
  try {
    return new Uint8Array(
      await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv, additionalData: aad, tagLength: TAG_BYTES * 8 },
        key,
        box.subarray(NONCE_BYTES),
      ),
    )
  } catch (cause) {
    throw new SealError('mismatch', { cause })
  }
}

/** Finds the key that an envelope names. Throws SealError. */
export function pickKey(keys: FieldKey | readonly FieldKey[], id: string): CryptoKey {
  const found = 'key' in keys ? (keys.id === id ? keys : undefined) : keys.find((k) => k.id === id)
  if (!found) throw new SealError('unknown_key')
  return found.key
}

/** A missing part is a mistake of the caller: a value sealed without its row would open in every row. */
function contextBytes(format: string, context: SealContext): Bytes {
  if (context.some((part) => part === ''))
    throw new TypeError('A part of the seal context is empty')
  return encodeParts([format, ...context])
}
