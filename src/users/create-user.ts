import { and, eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { type SpaceRow, spaces, type TenantRow, type UserRow, users } from '../db/tables'
import { notFound, unavailable } from '../errors'
import type { BaseContext } from '../http/context'
import { newUserKey } from '../platform/crypto/keys'
import { userKeyPath } from '../platform/files'
import { newId, newTag } from '../platform/ids'
import { tenantKey } from '../platform/secrets'

const TRIES = 5
const DEFAULT_SPACE_NAME = 'Default'

/**
 * The user with this identity and its default space, made when it is seen first. Two calls at once end with one user.
 * The key is stored before the user exists, so a user without a key is always one that was deleted.
 */
export async function createUser(
  base: BaseContext,
  tenant: TenantRow,
  identity: { source: string; externalId: string },
): Promise<{ user: UserRow; space: SpaceRow }> {
  const db = openPrimary(base.env.DB)
  const existing = await findUser(db, tenant.id, identity)
  if (existing) return existing
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const id = newId(base.now)
    const { wrapped } = await newUserKey(await tenantKey(base.config, tenant), id)
    await base.env.FILES.put(userKeyPath(tenant.id, id), wrapped)
    const user = {
      id,
      tenantId: tenant.id,
      ...identity,
      status: 'active' as const,
      tokenVersion: 1,
      createdAt: base.now,
      lastActiveAt: base.now,
    }
    const space = {
      id: newId(base.now),
      tenantId: tenant.id,
      userId: id,
      name: DEFAULT_SPACE_NAME,
      isDefault: true,
      tag: newTag(),
      createdAt: base.now,
      updatedAt: base.now,
    }
    try {
      await db.batch([db.insert(users).values(user), db.insert(spaces).values(space)])
      return { user, space }
    } catch (error) {
      await base.env.FILES.delete(userKeyPath(tenant.id, id))
      const other = await findUser(db, tenant.id, identity)
      if (other) return other
      if (!String(error).includes('UNIQUE') && !String((error as Error).cause).includes('UNIQUE'))
        throw unavailable(error)
    }
  }
  throw unavailable()
}

async function findUser(
  db: ReturnType<typeof openPrimary>,
  tenantId: string,
  identity: { source: string; externalId: string },
) {
  const row = (
    await db
      .select({ user: users, space: spaces })
      .from(users)
      .innerJoin(spaces, and(eq(spaces.userId, users.id), eq(spaces.isDefault, true)))
      .where(
        and(
          eq(users.tenantId, tenantId),
          eq(users.source, identity.source),
          eq(users.externalId, identity.externalId),
        ),
      )
      .limit(1)
  )[0]
  if (row && row.user.status !== 'active') throw notFound('User')
  return row
}
