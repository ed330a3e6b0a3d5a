import { and, eq } from 'drizzle-orm'
import type { BaseContext } from '../context'
import type { Db } from '../db/client'
import {
  type AccountRow,
  accounts,
  type SpaceRow,
  spaces,
  type TenantRow,
  type UserRow,
  users,
} from '../db/tables'
import { deriveEmailIndexKey, emailIndex } from '../platform/crypto/blind-index'
import { tenantKey } from '../platform/secrets'

export interface KnownAccount {
  account: AccountRow
  user: UserRow
  space: SpaceRow
}

const indexKeys = new WeakMap<object, Promise<CryptoKey>>()

/** The tenant's stand-in of an address. It also names the address in rate windows. */
export async function indexEmail(
  base: Pick<BaseContext, 'config'>,
  tenant: TenantRow,
  email: string,
): Promise<string> {
  const key = await tenantKey(base.config, tenant)
  let indexKey = indexKeys.get(key)
  if (!indexKey) {
    indexKey = deriveEmailIndexKey(key)
    indexKeys.set(key, indexKey)
  }
  return emailIndex(await indexKey, email)
}

/** An account by its address: one query, whether there is one or not. */
export async function findAccount(
  db: Db,
  tenantId: string,
  index: string,
): Promise<KnownAccount | null> {
  return (
    (
      await select(db).where(
        and(
          eq(accounts.tenantId, tenantId),
          eq(accounts.emailIndex, index),
          eq(users.status, 'active'),
        ),
      )
    )[0] ?? null
  )
}

export async function findAccountOf(
  db: Db,
  tenantId: string,
  userId: string,
): Promise<KnownAccount | null> {
  return (
    (
      await select(db).where(
        and(
          eq(accounts.tenantId, tenantId),
          eq(accounts.userId, userId),
          eq(users.status, 'active'),
        ),
      )
    )[0] ?? null
  )
}

const select = (db: Db) =>
  db
    .select({ account: accounts, user: users, space: spaces })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .innerJoin(spaces, and(eq(spaces.userId, users.id), eq(spaces.isDefault, true)))
