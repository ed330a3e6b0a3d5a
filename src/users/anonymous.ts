import type { BaseContext } from '../context'
import { createUser } from './create-user'
import { findActiveTenant } from './find-tenant'
import { issueToken } from './issue-token'

/** A new visitor with a default space, known by the token alone. @throws notFound; forbidden for a suspended tenant. */
export async function mintAnonymousToken(base: BaseContext, named: string) {
  const tenant = await findActiveTenant(base, named)
  const visitor = await createUser(base, tenant, { source: 'anonymous' })
  return issueToken(base, visitor, false)
}
