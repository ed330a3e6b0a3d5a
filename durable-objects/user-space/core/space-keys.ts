import { SECOND_MS } from '../../../src/config/limits'
import { configOf } from '../../../src/config/read-config'
import {
  attachmentContext,
  newAttachmentKey,
  rewrapAttachmentKey,
  unwrapAttachmentKey,
} from '../../../src/platform/crypto/attachment-key'
import type { Bytes } from '../../../src/platform/crypto/bytes'
import {
  type FieldKey,
  openBytes,
  openField,
  type SealContext,
  sealBytes,
  sealField,
} from '../../../src/platform/crypto/field'
import { deriveSpaceKey, type TenantKey, unwrapUserKey } from '../../../src/platform/crypto/keys'
import { readSealed } from '../../../src/platform/crypto/read-sealed'
import { loadUserKey } from '../../../src/platform/files'
import { tenantKey } from '../../../src/platform/secrets'
import type { SpaceAddress } from '../../../src/platform/stubs'
import type { SpaceCaller } from '../../../src/spaces/caller'

/**
 * So long the key of a user who was just made is taken from the caller who made it. Later it is asked for, because the user
 * may have been deleted meanwhile, and the object, emptied, may have forgotten that.
 */
const NEWCOMER_MS = 10 * SECOND_MS

/** Seals and opens what one space holds. The unwrapped key lives only in the memory of the awake object. */
export class SpaceKeys {
  readonly #key: FieldKey
  readonly #address: SpaceAddress

  private constructor(key: FieldKey, address: SpaceAddress) {
    this.#key = key
    this.#address = address
  }

  /** @returns null when the user's key is gone. */
  static async load(
    env: Env,
    address: SpaceAddress,
    wrappedTenantKey: string,
  ): Promise<SpaceKeys | null> {
    const key = await keyOfTenant(env, address, wrappedTenantKey)
    const userKey = await loadUserKey(env.FILES, key, address.userId)
    return userKey && new SpaceKeys(await deriveSpaceKey(userKey, address.spaceId), address)
  }

  /** The same for the first caller: one who just made the user brings the key along. @throws SealError for another user's. */
  static async ofCaller(
    env: Env,
    { address, wrappedTenantKey, newcomer }: SpaceCaller,
  ): Promise<SpaceKeys | null> {
    if (!newcomer || Date.now() > newcomer.at + NEWCOMER_MS)
      return SpaceKeys.load(env, address, wrappedTenantKey)
    const key = await keyOfTenant(env, address, wrappedTenantKey)
    const userKey = await unwrapUserKey(key, address.userId, newcomer.wrappedKey)
    return new SpaceKeys(await deriveSpaceKey(userKey, address.spaceId), address)
  }

  #context(table: string, column: string, row: string): SealContext {
    const { tenantId, userId, spaceId } = this.#address
    return [tenantId, userId, spaceId, table, column, row]
  }

  seal(table: string, column: string, row: string, text: string): Promise<string> {
    return sealField(this.#key, this.#context(table, column, row), text)
  }

  open(table: string, column: string, row: string, sealed: string): Promise<string> {
    return openField(this.#key, this.#context(table, column, row), sealed)
  }

  /** As `open`, for what is shown: null when it does not open. */
  read(table: string, column: string, row: string, sealed: string): Promise<string | null> {
    return readSealed(this.#context(table, column, row), () =>
      this.open(table, column, row, sealed),
    )
  }

  sealBlob(table: string, column: string, row: string, bytes: Bytes): Promise<Bytes> {
    return sealBytes(this.#key, this.#context(table, column, row), bytes)
  }

  openBlob(table: string, column: string, row: string, sealed: Bytes): Promise<Bytes> {
    return openBytes(this.#key, this.#context(table, column, row), sealed)
  }

  /** As `openBlob`, for what is searched: null when it does not open. */
  readBlob(table: string, column: string, row: string, sealed: Bytes): Promise<Bytes | null> {
    return readSealed(this.#context(table, column, row), () =>
      this.openBlob(table, column, row, sealed),
    )
  }

  /** Attachment bytes carry their own key, wrapped under the space's, so that a merge touches no object store. */
  async sealAttachment(id: string, bytes: Bytes): Promise<{ sealed: Bytes; wrappedKey: string }> {
    const { key, wrapped } = await newAttachmentKey(this.#key, this.#owner, id)
    return {
      sealed: await sealBytes(key, attachmentContext(this.#owner, id), bytes),
      wrappedKey: wrapped,
    }
  }

  /** Null when the key or the bytes do not open. */
  readAttachment(id: string, wrappedKey: string, sealed: Bytes): Promise<Bytes | null> {
    return readSealed(this.#context('files', 'bytes', id), async () => {
      const key = await unwrapAttachmentKey(this.#key, this.#owner, id, wrappedKey)
      return openBytes(key, attachmentContext(this.#owner, id), sealed)
    })
  }

  /**
   * The same attachment key for another space of the user; the bytes that it sealed stay as they are. Null when the key does
   * not open.
   */
  moveAttachmentKey(to: SpaceKeys, id: string, wrappedKey: string): Promise<string | null> {
    return readSealed(this.#context('files', 'key', id), () =>
      rewrapAttachmentKey(this.#key, to.#key, this.#owner, id, wrappedKey),
    )
  }

  get #owner() {
    return { tenant: this.#address.tenantId, user: this.#address.userId }
  }
}

const keyOfTenant = (
  env: Env,
  { tenantId }: SpaceAddress,
  wrappedKey: string,
): Promise<TenantKey> => tenantKey(configOf(env), { id: tenantId, wrappedKey })
