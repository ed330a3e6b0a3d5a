import type { ProviderName } from '../../config/names'
import type { BaseContext } from '../../context'
import { listActiveDomains } from '../../domains/domains'
import { invalid, notFound, unavailable } from '../../errors'
import { toBase64url } from '../../platform/crypto/base64url'
import { randomBytes, sha256 } from '../../platform/crypto/bytes'
import { sealField } from '../../platform/crypto/field'
import { newId } from '../../platform/ids'
import { tenantKey } from '../../platform/secrets'
import { openOauth } from '../../tenants/oauth'
import { findNativeTenant } from '../find-tenant'
import { mintStateToken } from '../one-time-tokens'
import { bindingOf } from './browser-cookie'
import { checkRedirect } from './check-redirect'
import { findProvider } from './providers'

/** What a sign-in began with; stored sealed under the state's id. */
export interface OauthStart {
  verifier: string
  redirect: string
}

export const stateContext = (tenantId: string, id: string) =>
  [tenantId, 'one_time_tokens', 'data', id] as const

/** The address that the provider sends the person back to. It is registered there, so it never comes from a request. */
export function callbackUrl(base: BaseContext, provider: ProviderName): string {
  const { config } = base
  if (config.publicBase === '' && config.environment !== 'local') throw unavailable()
  return `${base.origin}/auth/oauth/${provider}/callback`
}

/**
 * Begins a sign-in: code flow with PKCE, and a state that one browser can use once. @param secret the browser's.
 * @returns the provider's address to go to. @throws notFound for a tenant or provider that is not set up; forbidden;
 * invalid for an address to return to that is neither on the app nor the tenant's own.
 */
export async function startOauth(
  base: BaseContext,
  name: ProviderName,
  input: { tenant_id: string; redirect?: string | undefined },
  secret: string,
): Promise<string> {
  const tenant = await findNativeTenant(base, input.tenant_id)
  const credentials = await openOauth(base, tenant, name)
  if (!credentials) throw notFound('Provider')
  const provider = findProvider(base.config, name)
  const wanted = input.redirect || `/login/${tenant.alias ?? tenant.id}`
  const redirect = checkRedirect(base.origin, wanted, await listActiveDomains(base, tenant.id))
  if (redirect === null) {
    throw invalid(['query', 'redirect'], 'a path on this origin, or an address on your own domain')
  }
  const verifier = toBase64url(randomBytes(32))
  const start: OauthStart = { verifier, redirect }
  const key = await tenantKey(base.config, tenant)
  const state = await mintStateToken(
    base.db,
    {
      id: newId(base.now),
      tenantId: tenant.id,
      binding: await bindingOf(secret, name),
      seal: (id) => sealField(key, stateContext(tenant.id, id), JSON.stringify(start)),
    },
    base.now,
  )
  const url = new URL(provider.authorizeUrl)
  const parameters = {
    response_type: 'code',
    client_id: credentials.clientId,
    redirect_uri: callbackUrl(base, name),
    scope: provider.scope,
    state,
    code_challenge: toBase64url(await sha256(verifier)),
    code_challenge_method: 'S256',
  }
  for (const [parameter, value] of Object.entries(parameters)) {
    url.searchParams.set(parameter, value)
  }
  return url.href
}
