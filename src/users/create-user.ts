import { eq } from 'drizzle-orm'
import type { BaseContext } from '../context'
import { type Db, openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import { messageOf } from '../db/sql-errors'
import { type SpaceRow, spaces, type TenantRow, type UserRow, users } from '../db/tables'
import { notFound, unavailable } from '../errors'
import { newUserKey } from '../platform/crypto/keys'
import { deleteFiles, storeFile, userKeyPath } from '../platform/files'
import { newId, newTag } from '../platform/ids'
import { tenantKey } from '../platform/secrets'
import { DEFAULT_SPACE } from '../spaces/default-space'

const TRIES = 5
const DEFAULT_SPACE_NAME = 'Default'

export interface NewUser {
  user: UserRow
  space: SpaceRow
}

/**
 * The user with this identity and its default space, made when it is seen first. Two calls at once end with one user.
 * The key is stored before the user exists, so a user without a key is always one that was deleted.
 */
export async function createUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: { source: string; externalId: string },
): Promise<NewUser> {
  const db = openPrimary(base.env.DB)
  const existing = await findUser(db, tenant.id, identity)
  if (existing) return existing
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const made = await prepareUser(base, tenant, identity)
    try {
      await db.batch(insertUser(db, made))
      return made
    } catch (error) {
      await discardUser(base, made)
      const other = await findUser(db, tenant.id, identity)
      if (other) return other
      if (!messageOf(error).includes('UNIQUE')) throw unavailable(error)
    }
  }
  throw unavailable()
}

/** Rows of a user that is about to be; its key is stored already. A user that came by itself is known by its own id. */
export async function prepareUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: { source: string; externalId?: string; lang?: UserRow['lang'] },
): Promise<NewUser> {
  const id = newId(base.now)
  const { wrapped } = await newUserKey(await tenantKey(base.config, tenant), id)
  await storeFile(base.env.FILES, userKeyPath(tenant.id, id), wrapped)
  const user: UserRow = {
    id,
    tenantId: tenant.id,
    source: identity.source,
    externalId: identity.externalId ?? id,
    status: 'active',
    tokenVersion: 1,
    toldVersion: 1,
    createdAt: base.now,
    lastActiveAt: base.now,
    tokens24h: 0,
    tokens24hUntil: null,
    lang: identity.lang ?? null,
  }
  const space: SpaceRow = {
    id: newId(base.now),
    tenantId: tenant.id,
    userId: id,
    name: DEFAULT_SPACE_NAME,
    isDefault: true,
    tag: newTag(),
    sessionCount: 0,
    countedAt: 0,
    createdAt: base.now,
    updatedAt: base.now,
  }
  return { user, space }
}

/** The statements that make a prepared user real. */
export function insertUser(db: Db, { user, space }: NewUser) {
  return [db.insert(users).values(user), db.insert(spaces).values(space)] as const
}

/** A prepared user that did not come to be: its key goes. */
export function discardUser(base: BaseContext, { user }: NewUser): Promise<void> {
  return deleteFiles(base.env.FILES, [userKeyPath(user.tenantId, user.id)])
}

async function findUser(
  db: Db,
  tenantId: string,
  identity: { source: string; externalId: string },
): Promise<NewUser | undefined> {
  const row = await pickOwn(
    db,
    users,
    tenantId,
    { user: users, space: spaces },
    eq(users.source, identity.source),
    eq(users.externalId, identity.externalId),
  )
    .innerJoin(spaces, DEFAULT_SPACE)
    .limit(1)
    .get()
  if (row && row.user.status !== 'active') throw notFound('User')
  return row
}
