import type { AppContext } from '../context'
import { forbidden, invalidApiKey, invalidToken } from '../errors'
import { askPart, tenantMeter } from '../platform/stubs'

/**
 * Whether the caller may still call (rule CL10). An isolate's caches may be five seconds old, and a token does not say that
 * it was revoked; objects hear of both at once. So the meter is asked about key and tenant, and the user's default space,
 * which always exists, about the token. Turns are not checked here: their admission asks the same objects.
 * @throws ApiError 401 or 403.
 */
export async function confirmCaller({ env, tenant, actor, token }: AppContext): Promise<void> {
  const address = token && { tenantId: tenant.id, userId: token.user, spaceId: token.home.id }
  const [ofKey, ofToken] = await Promise.all([
    tenantMeter(env, tenant.id).refusal(actor.keyId),
    address &&
      askPart(
        env,
        {
          address,
          tag: token.home.tag,
          wrappedTenantKey: tenant.wrappedKey,
          tokenVersion: token.version,
        },
        'space',
        'check',
      ),
  ])
  if (ofKey?.reason === 'revoked') throw invalidApiKey()
  if (ofKey?.reason === 'suspended') throw forbidden('Tenant is not active')
  if (ofToken && !ofToken.ok) throw invalidToken()
}
