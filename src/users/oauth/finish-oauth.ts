import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { ProviderName } from '../../config/names'
import type { BaseContext } from '../../context'
import { type TenantRow, tenants } from '../../db/tables/tenants'
import { listActiveDomains } from '../../domains/domains'
import { egressContext } from '../../domains/egress-context'
import { badRequest } from '../../errors'
import { isUnreadable, readTenantField } from '../../platform/crypto/read-sealed'
import { createGuardedFetch } from '../../platform/egress'
import { tenantKey } from '../../platform/secrets'
import { openOauth } from '../../tenants/oauth'
import { issueToken } from '../issue-token'
import { findMissing } from '../onboarding'
import { type OneTimeRow, withToken } from '../one-time-tokens'
import { bindingOf } from './browser-cookie'
import { findProvider, type Provider, type ProviderUser } from './providers'
import { resolveIdentity } from './resolve-identity'
import { callbackUrl, type OauthStart, stateContext } from './start-oauth'

const TokenAnswer = z.object({ access_token: z.string().min(1).max(8192) })
const Start = z.object({ verifier: z.string(), redirect: z.string() })

/**
 * Ends a sign-in. @param secret the browser's, null when it has none.
 * @returns where the person goes on, with the token, or a fixed word for what failed, in the fragment.
 * @throws badRequest for a state that is missing, unknown, used, expired or another browser's.
 */
export async function finishOauth(
  base: BaseContext,
  name: ProviderName,
  input: { code?: string | undefined; state?: string | undefined; error?: string | undefined },
  secret: string | null,
): Promise<string> {
  if (secret === null || input.state === undefined) throw badRequest('Invalid or expired token')
  const binding = await bindingOf(secret, name)
  const goOn = (row: OneTimeRow) => signIn(base, name, input, row)
  return withToken(base.db, ['oauth'], input.state, base.now, goOn, binding)
}

async function signIn(
  base: BaseContext,
  name: ProviderName,
  input: { code?: string | undefined; error?: string | undefined },
  row: OneTimeRow,
): Promise<string> {
  const tenant = await base.db
    .select()
    .from(tenants)
    .where(eq(tenants.id, row.tenantId))
    .limit(1)
    .get()
  if (tenant?.status !== 'active' || tenant.authMode !== 'native') {
    throw badRequest('Invalid or expired token')
  }
  const opened = await readTenantField(
    await tenantKey(base.config, tenant),
    stateContext(tenant.id, row.id),
    row.data ?? '',
  )
  if (opened === null) throw badRequest('Invalid or expired token')
  const start = Start.parse(JSON.parse(opened))
  const back = new URL(start.redirect)
  // A name that was the tenant's when the sign-in began may be somebody else's by now.
  if (
    !callbackUrl(base, name).startsWith(`${back.origin}/`) &&
    !(await listActiveDomains(base, tenant.id)).includes(back.hostname)
  )
    throw badRequest('Invalid or expired token')
  if (input.error !== undefined || input.code === undefined) {
    return withFragment(start.redirect, { error: 'sign_in_cancelled' })
  }
  const person = await askProvider(base, tenant, findProvider(base.config, name), input.code, start)
  if (!person) return withFragment(start.redirect, { error: 'sign_in_failed' })
  const known = await resolveIdentity(base, tenant, name, person)
  const token = await issueToken(base, known, known.emailVerified)
  const missing = await findMissing(base, tenant, known.user)
  return withFragment(start.redirect, {
    ...token,
    expires_in: String(token.expires_in),
    email_verified: String(token.email_verified),
    ...(missing.length > 0 && { onboarding: missing.join(',') }),
  })
}

function withFragment(address: string, values: Record<string, string>): string {
  return `${address}#${new URLSearchParams(values)}`
}

/** @returns null for whatever goes wrong at the provider: its words are nobody's business. */
async function askProvider(
  base: BaseContext,
  tenant: TenantRow,
  provider: Provider,
  code: string,
  start: OauthStart,
): Promise<ProviderUser | null> {
  const credentials = await openOauth(base, tenant, provider.name).catch((error: unknown) => {
    if (isUnreadable(error)) return null
    throw error
  })
  if (!credentials) return null
  const send = createGuardedFetch(egressContext(base.env))
  try {
    const answer = await send(provider.tokenUrl, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
        redirect_uri: callbackUrl(base, provider.name),
        code_verifier: start.verifier,
      }).toString(),
    })
    const token = TokenAnswer.parse(await readJson(answer))
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${token.access_token}`,
      'user-agent': 'parley',
    }
    const answers: unknown[] = []
    for (const url of provider.userUrls) answers.push(await readJson(await send(url, { headers })))
    return provider.read(answers)
  } catch (error) {
    base.log.warn('oauth_failed', {
      provider: provider.name,
      tenant_id: tenant.id,
      kind: error instanceof Error ? error.name : 'unknown',
    })
    return null
  }
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error('Refused by the provider')
  }
  return response.json()
}
