import { PROVIDERS } from '../config/names'
import type { BaseContext } from '../context'
import type { OauthRow, SmtpRow, TenantRow } from '../db/tables/tenants'
import { type KnownModel, presentModelStatus } from '../usage/model-status'

export interface Settings {
  tenant: TenantRow
  oauth: readonly OauthRow[]
  smtp: SmtpRow | null
  models: readonly KnownModel[]
}

/** Secrets stay behind: of a password or a client secret the answer only says that there is one. */
export function presentSettings(
  { tenant, oauth, smtp, models }: Settings,
  ctx: Pick<BaseContext, 'origin' | 'now'>,
) {
  return {
    tenant_id: tenant.id,
    name: tenant.name,
    alias: tenant.alias,
    alias_prefix: tenant.alias ?? tenant.id,
    auth_mode: tenant.authMode,
    privacy_mode: tenant.privacyMode,
    status: tenant.status,
    profile: tenant.profile,
    onboarding_config: tenant.onboardingConfig,
    daily_tokens_per_user: tenant.dailyTokensPerUser,
    oauth: PROVIDERS.map((provider) => {
      const row = oauth.find((one) => one.provider === provider)
      return {
        provider,
        client_id: row?.clientId ?? null,
        configured: isConfigured(row),
        enabled: row?.enabled ?? false,
      }
    }),
    smtp: smtp && {
      host: smtp.host,
      port: smtp.port,
      user: smtp.user,
      from_addr: smtp.fromAddr,
      starttls: smtp.starttls,
      has_password: smtp.password !== null,
    },
    logo_url: logoUrl(tenant, ctx),
    model_status: presentModelStatus(models, ctx.now),
  }
}

export function isConfigured(row: OauthRow | undefined): boolean {
  return row !== undefined && row.clientId !== null && row.clientSecret !== null
}

/** Absolute, because mails and other sites show it too. */
export function logoUrl(
  tenant: Pick<TenantRow, 'id' | 'logo'>,
  { origin }: Pick<BaseContext, 'origin'>,
): string | null {
  return tenant.logo === null ? null : origin + logoPath(tenant.id, tenant.logo)
}

export const logoPath = (tenantId: string, logo: string): string => `/logos/${tenantId}/${logo}`

/** What the audit trail keeps of the general settings. */
export function auditSettings(tenant: TenantRow) {
  return {
    name: tenant.name,
    alias: tenant.alias,
    auth_mode: tenant.authMode,
    profile: tenant.profile,
    onboarding_config: tenant.onboardingConfig,
    daily_tokens_per_user: tenant.dailyTokensPerUser,
  }
}

/** No secret and no address: user names of mail servers are addresses too. */
export function auditSmtp(row: SmtpRow) {
  return {
    host: row.host,
    port: row.port,
    starttls: row.starttls,
    from_domain: row.fromAddr.split('@').at(-1) ?? null,
    user: { set: row.user !== '' },
    password: { set: row.password !== null },
  }
}

export function auditOauth(row: OauthRow) {
  return {
    provider: row.provider,
    client_id: row.clientId,
    client_secret: { set: row.clientSecret !== null },
    enabled: row.enabled,
  }
}
