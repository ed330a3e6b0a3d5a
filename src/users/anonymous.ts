import { eq } from 'drizzle-orm'
import type { Db } from '../db/client'
import { tenants } from '../db/tables'
import { forbidden, notFound } from '../errors'
import type { BaseContext } from '../http/context'
import { signUserToken } from '../platform/crypto/jwt'
import { newId } from '../platform/ids'
import { jwtRing } from '../platform/secrets'
import { createUser } from './create-user'

/** A new visitor with a default space, known by the token alone. @throws notFound; forbidden for a suspended tenant. */
export async function mintAnonymousToken(base: BaseContext, db: Db, tenantId: string) {
  const tenant = (await db.select().from(tenants).where(eq(tenants.id, tenantId)).limit(1))[0]
  if (!tenant || tenant.status === 'deleted') throw notFound('Tenant')
  if (tenant.status !== 'active') throw forbidden('Tenant is not active')
  const { user, space } = await createUser(base, tenant, {
    source: 'anonymous',
    externalId: newId(base.now),
  })
  const claims = {
    user: user.id,
    tenant: tenant.id,
    version: user.tokenVersion,
    space: space.id,
    tag: space.tag,
    source: 'anonymous',
  }
  return {
    access_token: await signUserToken(jwtRing(base.config), claims, base.now, base.config.jwtTtlS),
    token_type: 'bearer' as const,
    expires_in: base.config.jwtTtlS,
    user_id: user.id,
    email_verified: false,
  }
}
