import type { UserContext } from '../context'
import { findSelf } from './find-self'
import { type IssuedToken, issueToken } from './issue-token'

/** A token for the browser of the user that a tenant's server vouches for. */
export async function issueProxyToken(ctx: UserContext): Promise<IssuedToken> {
  return issueToken(ctx, await findSelf(ctx), false)
}
