import { forbidden, invalidApiKey, invalidToken } from '../errors'
import type { AppContext, UserContext } from '../http/context'
import { tenantMeter, userSpace } from '../platform/stubs'

/**
 * What an isolate remembers of keys and tenants may be five seconds old. A turn is admitted by the meter, which knows
 * better; every other call of an end user asks it here (rule CL10). @throws ApiError 401 or 403.
 */
export async function confirmActing(ctx: AppContext): Promise<void> {
  const refusal = await tenantMeter(ctx.env, ctx.tenant.id).refusal(ctx.actor.keyId)
  if (refusal?.reason === 'revoked') throw invalidApiKey()
  if (refusal?.reason === 'suspended') throw forbidden('Tenant is not active')
}

/** For a call that reaches no object of the user, which would refuse an old token by itself. @throws ApiError 401. */
export async function confirmToken(ctx: UserContext): Promise<void> {
  const { user, space, tenant } = ctx
  if (user.tokenVersion === null) return
  const address = { tenantId: tenant.id, userId: user.id, spaceId: space.id }
  const refusal = await userSpace(ctx.env, address).checkCaller({
    address,
    tag: space.tag,
    wrappedTenantKey: tenant.wrappedKey,
    tokenVersion: user.tokenVersion,
  })
  if (refusal) throw invalidToken()
}
