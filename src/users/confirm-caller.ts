import type { AppContext } from '../context'
import { forbidden, invalidApiKey, invalidToken } from '../errors'
import { askPart, tenantMeter } from '../platform/stubs'

/**
 * What an isolate remembers may be five seconds old, and a token says nothing of its own end. A turn is admitted by the
 * objects that know better; for every other call of an end user they are asked here: the meter about key and tenant, the
 * user's default space, which always exists, about the token (rule CL10). @throws ApiError 401 or 403.
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
