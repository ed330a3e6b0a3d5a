import { eq, type SQL } from 'drizzle-orm'
import type { BaseContext } from '../context'
import type { Db } from '../db/client'
import { pickOwn } from '../db/own'
import { type SpaceRow, spaces } from '../db/tables/spaces'
import type { TenantRow } from '../db/tables/tenants'
import { type AccountRow, accounts, type UserRow, users } from '../db/tables/users'
import { deriveEmailIndexKey, emailIndex } from '../platform/crypto/blind-index'
import { tenantKey } from '../platform/secrets'
import { DEFAULT_SPACE } from '../spaces/default-space'

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
  return find(db, tenantId, eq(accounts.emailIndex, index))
}

export async function findAccountOf(
  db: Db,
  tenantId: string,
  userId: string,
): Promise<KnownAccount | null> {
  return find(db, tenantId, eq(accounts.userId, userId))
}

async function find(db: Db, tenantId: string, which: SQL): Promise<KnownAccount | null> {
  const columns = { account: accounts, user: users, space: spaces }
  const found = await pickOwn(db, accounts, tenantId, columns, which, eq(users.status, 'active'))
    .innerJoin(users, eq(users.id, accounts.userId))
    .innerJoin(spaces, DEFAULT_SPACE)
    .get()
  return found ?? null
}
