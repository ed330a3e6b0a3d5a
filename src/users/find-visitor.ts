import { eq } from 'drizzle-orm'
import type { BaseContext } from '../context'
import { findOwn } from '../db/own'
import { users } from '../db/tables/users'
import { badRequest } from '../errors'
import { verifyUserToken } from '../platform/crypto/jwt'
import { jwtRing } from '../platform/secrets'

export interface Visitor {
  userId: string
  spaceId: string
  tag: number
}

/** The anonymous user of the tenant whom a token names. @throws badRequest for any other token. */
export async function findVisitor(
  base: BaseContext,
  tenantId: string,
  token: string,
): Promise<Visitor> {
  const claims = await verifyUserToken(jwtRing(base.config), token, base.now)
  if (!claims || claims.tenant !== tenantId || claims.source !== 'anonymous') throw refused()
  const row = await findOwn(
    base.db,
    users,
    tenantId,
    eq(users.id, claims.user),
    eq(users.source, 'anonymous'),
    eq(users.status, 'active'),
    eq(users.tokenVersion, claims.version),
  )
  if (!row) throw refused()
  return { userId: claims.user, spaceId: claims.space, tag: claims.tag }
}

const refused = () => badRequest('Invalid or expired token')
