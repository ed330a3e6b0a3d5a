import type { BaseContext } from '../context'
import { signUserToken } from '../platform/crypto/jwt'
import { jwtRing } from '../platform/secrets'
import type { NewUser } from './create-user'

export interface IssuedToken {
  access_token: string
  token_type: 'bearer'
  /** Seconds. */
  expires_in: number
  user_id: string
  email_verified: boolean
}

/** An access token of the user's present version, for its default space. */
export async function issueToken(
  base: Pick<BaseContext, 'config' | 'now'>,
  { user, space }: NewUser,
  emailVerified: boolean,
): Promise<IssuedToken> {
  const claims = {
    user: user.id,
    tenant: user.tenantId,
    version: user.tokenVersion,
    space: space.id,
    tag: space.tag,
    source: user.source,
  }
  const { jwtTtlS } = base.config
  return {
    access_token: await signUserToken(jwtRing(base.config), claims, base.now, jwtTtlS),
    token_type: 'bearer',
    expires_in: jwtTtlS,
    user_id: user.id,
    email_verified: emailVerified,
  }
}
