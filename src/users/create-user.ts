import { eq } from 'drizzle-orm'
import type { BaseContext } from '../context'
import { type Db, openPrimary, openReplica } from '../db/client'
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
  /** The user's key as it is stored, where this call made it. */
  wrappedKey?: string
}

export interface Identity {
  source: string
  externalId: string
}

/**
 * Makes the user with this identity, whom nobody found, and its default space: one file and one batch. Two calls at once end
 * with one user. The key is stored before the user exists, so a user without a key is always one that was deleted.
 * @throws notFound for the identity of a user that was deleted; unavailable.
 */
export async function createUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: Identity,
): Promise<NewUser> {
  const db = openPrimary(base.env.DB)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const made = await prepareUser(base, tenant, identity)
    try {
      await db.batch(insertUser(db, made))
      return made
    } catch (error) {
      const other = await findUser(db, tenant.id, identity)
      // The batch was committed, and only its answer was lost: the key belongs to a user now.
      if (other?.user.id === made.user.id) return made
      await discardUser(base, made)
      if (other) return requireActive(other)
      if (!messageOf(error).includes('UNIQUE')) throw unavailable(error)
    }
  }
  throw unavailable()
}

/** The same for an identity that nobody looked up before. */
export async function findOrCreateUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: Identity,
): Promise<NewUser> {
  // What a copy does not know may have been made a moment ago: then making it finds it.
  const known = await findUser(openReplica(base.env.DB), tenant.id, identity)
  return known ? requireActive(known) : createUser(base, tenant, identity)
}

/** Rows of a user that is about to be; its key is stored already. A user that came by itself is known by its own id. */
export async function prepareUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: { source: string; externalId?: string; lang?: UserRow['lang'] },
): Promise<Required<NewUser>> {
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
  return { user, space, wrappedKey: wrapped }
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
  identity: Identity,
): Promise<NewUser | undefined> {
  return pickOwn(
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
}

function requireActive(found: NewUser): NewUser {
  if (found.user.status !== 'active') throw notFound('User')
  return found
}
