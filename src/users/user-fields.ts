import type { BaseContext } from '../context'
import type { TenantRow } from '../db/tables/tenants'
import { notFound } from '../errors'
import type { Bytes } from '../platform/crypto/bytes'
import {
  type FieldKey,
  NO_SPACE,
  openBytes,
  openField,
  sealBytes,
  sealField,
} from '../platform/crypto/field'
import { deriveSpaceKey } from '../platform/crypto/keys'
import { readSealed } from '../platform/crypto/read-sealed'
import { loadUserKey } from '../platform/files'
import { tenantKey } from '../platform/secrets'

/** Seals and opens what belongs to a user but to no space. One read of the object store per user. */
export class UserFields {
  readonly #key: FieldKey
  readonly #tenantId: string
  readonly #userId: string

  private constructor(key: FieldKey, tenantId: string, userId: string) {
    this.#key = key
    this.#tenantId = tenantId
    this.#userId = userId
  }

  /** @throws notFound when the user's key is gone. */
  static async load(
    base: Pick<BaseContext, 'env' | 'config'>,
    tenant: Pick<TenantRow, 'id' | 'wrappedKey'>,
    userId: string,
  ): Promise<UserFields> {
    const userKey = await loadUserKey(base.env.FILES, await tenantKey(base.config, tenant), userId)
    if (!userKey) throw notFound('User')
    return new UserFields(await deriveSpaceKey(userKey, NO_SPACE), tenant.id, userId)
  }

  /** `row` where there are several of a kind. */
  seal(table: string, column: string, text: string, row = this.#userId): Promise<string> {
    return sealField(this.#key, this.#context(table, column, row), text)
  }

  open(table: string, column: string, sealed: string, row = this.#userId): Promise<string> {
    return openField(this.#key, this.#context(table, column, row), sealed)
  }

  /** As `open`, for what is shown: null when it does not open. */
  read(table: string, column: string, sealed: string, row = this.#userId): Promise<string | null> {
    return readSealed(this.#context(table, column, row), () =>
      this.open(table, column, sealed, row),
    )
  }

  sealBlob(table: string, column: string, bytes: Bytes, row: string): Promise<Bytes> {
    return sealBytes(this.#key, this.#context(table, column, row), bytes)
  }

  openBlob(table: string, column: string, sealed: Bytes, row: string): Promise<Bytes> {
    return openBytes(this.#key, this.#context(table, column, row), sealed)
  }

  #context(table: string, column: string, row: string) {
    return [this.#tenantId, this.#userId, NO_SPACE, table, column, row] as const
  }
}
