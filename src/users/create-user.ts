import { eq } from 'drizzle-orm'
import { OUTAGE_RETRY_S } from '../config/limits'
import type { BaseContext } from '../context'
import { type Db, openPrimary, openReplica } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { isTaken, messageOf } from '../db/sql-errors'
import { type SpaceRow, spaces } from '../db/tables/spaces'
import type { TenantRow } from '../db/tables/tenants'
import { type UserRow, users } from '../db/tables/users'
import { notFound, unavailable } from '../errors'
import { SealError } from '../platform/crypto/field'
import { newUserKey } from '../platform/crypto/keys'
import { deleteFiles, storeFile, userKeyPath } from '../platform/files'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { tenantKey } from '../platform/secrets'
import { DEFAULT_SPACE } from '../spaces/default-space'
import { newSpace, untilTagIsFree } from '../spaces/new-space'

const TRIES = 5
/** A batch that was not answered within so many seconds was not committed and never will be: D1 ends it sooner. */
const SETTLED_S = 120
const DEFAULT_SPACE_NAME = 'Default'

export interface NewUser {
  user: UserRow
  space: SpaceRow
  /** The user's key as it is stored, where this call made it. */
  wrappedKey?: string
}

export interface Identity {
  source: string
  /** A user that came by itself is known by its own id. */
  externalId?: string
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
  const { externalId } = identity
  for (let attempt = 0; attempt < TRIES; attempt++) {
    try {
      return await addUser({ ...base, db }, tenant, identity, (made) => insertUser(db, made))
    } catch (error) {
      if (externalId === undefined || !isTaken(error, 'users.external_id'))
        throw error instanceof SealError ? error : unavailable(error, OUTAGE_RETRY_S)
      const other = await findUser(db, tenant.id, { ...identity, externalId })
      if (other) return requireActive(other)
    }
  }
  throw unavailable(undefined, OUTAGE_RETRY_S)
}

/** The same for an identity that nobody looked up before. */
export async function findOrCreateUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: Required<Identity>,
): Promise<NewUser> {
  // What a copy does not know may have been made a moment ago: then making it finds it.
  const known = await findUser(openReplica(base.env.DB), tenant.id, identity)
  return known ? requireActive(known) : createUser(base, tenant, identity)
}

/**
 * Makes a user, its key first, and then its rows with all that belongs to them in one batch.
 * @param statementsOf the batch for the prepared user, `insertUser` in it
 * @throws what the batch threw: then there is no key
 */
export function addUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: PreparedIdentity,
  statementsOf: (made: NewUser) => Statements | Promise<Statements>,
): Promise<Required<NewUser>> {
  return untilTagIsFree(async () => {
    const made = await prepareUser(base, tenant, identity)
    await commitUser(base, made, await statementsOf(made))
    return made
  })
}

type PreparedIdentity = Identity & { lang?: UserRow['lang'] }
type Statements = Parameters<Db['batch']>[0]

/** Rows of a user that is about to be; its key is stored already. */
async function prepareUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: PreparedIdentity,
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
  const owner = { tenantId: tenant.id, userId: id, name: DEFAULT_SPACE_NAME, isDefault: true }
  return { user, space: newSpace(owner, base.now), wrappedKey: wrapped }
}

/** The statements that make a prepared user real. */
export function insertUser(db: Db, { user, space }: NewUser) {
  return [db.insert(users).values(user), db.insert(spaces).values(space)] as const
}

/**
 * Runs the batch that makes a prepared user real. Where it fails, the key goes, unless the user is there after all: then the
 * batch was committed and only its answer was lost.
 * @throws what the batch threw
 */
async function commitUser(base: BaseContext, made: NewUser, statements: Statements): Promise<void> {
  try {
    await base.db.batch(statements)
  } catch (error) {
    if (await cameToBe(base, made)) return
    throw error
  }
}

/**
 * Whether there is this user, whose batch failed; the key of one that is not there goes. Where the database or the files
 * cannot be asked now, a job looks again once no batch can be on its way.
 */
async function cameToBe(base: BaseContext, { user }: NewUser): Promise<boolean> {
  const { id, tenantId } = user
  try {
    if (await findOwn(openPrimary(base.env.DB), users, tenantId, eq(users.id, id))) return true
    await deleteFiles(base.env.FILES, [userKeyPath(tenantId, id)])
  } catch (error) {
    base.log.warn('user_key_unsettled', { user_id: id, reason: messageOf(error) })
    const job = { type: 'user.delete' as const, tenantId, userId: id }
    await sendJobs(base.env, [job], SETTLED_S).catch((failure: unknown) =>
      base.log.error('user_key_left', failure, { user_id: id }),
    )
  }
  return false
}

async function findUser(
  db: Db,
  tenantId: string,
  identity: Required<Identity>,
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
