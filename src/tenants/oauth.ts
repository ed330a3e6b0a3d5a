import { eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { nextUpdate, untilCommitted } from '../audit/until-committed'
import type { ProviderName } from '../config/names'
import type { Config } from '../config/read-config'
import type { TenantContext } from '../context'
import type { Db } from '../db/client'
import { findOwn, listOwn } from '../db/own'
import { type OauthRow, type TenantRow, tenantOauth } from '../db/tables/tenants'
import { sealField } from '../platform/crypto/field'
import { needTenantField } from '../platform/crypto/read-sealed'
import { tenantKey } from '../platform/secrets'
import { auditOauth, isConfigured } from './present-settings'
import type { OauthIn } from './settings-schema'

const sealContext = (tenantId: string, provider: ProviderName) =>
  [tenantId, 'tenant_oauth', 'client_secret', `${tenantId} ${provider}`] as const

/** Sets a provider's credentials. They are used as soon as the provider is on, which a new one is. */
export async function putOauth(
  ctx: TenantContext,
  provider: ProviderName,
  input: OauthIn,
): Promise<void> {
  const key = await tenantKey(ctx.config, ctx.tenant)
  const clientSecret = await sealField(
    key,
    sealContext(ctx.tenant.id, provider),
    input.client_secret,
  )
  await change(ctx, provider, { clientId: input.client_id, clientSecret })
}

/** Clears the credentials, if any were ever set; whether the provider is on stays. */
export function clearOauth(ctx: TenantContext, provider: ProviderName): Promise<void> {
  return change(ctx, provider, { clientId: null, clientSecret: null })
}

export function enableOauth(
  ctx: TenantContext,
  provider: ProviderName,
  enabled: boolean,
): Promise<void> {
  return change(ctx, provider, { enabled })
}

async function change(
  ctx: TenantContext,
  provider: ProviderName,
  fields: Partial<OauthRow>,
): Promise<void> {
  const { db, tenant } = ctx
  await untilCommitted(`oauth ${tenant.id} ${provider}`, async () => {
    const before = await findOwn(db, tenantOauth, tenant.id, eq(tenantOauth.provider, provider))
    if (!before && fields.clientId === null) return true
    const blank = { clientId: null, clientSecret: null, enabled: true }
    const updatedAt = before ? nextUpdate(before, ctx.now) : ctx.now
    const after = { ...blank, ...before, ...fields, tenantId: tenant.id, provider, updatedAt }
    const written = await commitChange(
      ctx,
      tenant.id,
      [
        db
          .insert(tenantOauth)
          .values(after)
          .onConflictDoUpdate({
            target: [tenantOauth.tenantId, tenantOauth.provider],
            set: { ...fields, updatedAt },
          }),
      ],
      {
        action: before ? 'update' : 'create',
        entity: 'oauth',
        entityId: tenant.id,
        entityName: provider,
        before: before ? auditOauth(before) : null,
        after: auditOauth(after),
        requires: sql`coalesce((SELECT updated_at FROM tenant_oauth WHERE tenant_id = ${tenant.id} AND provider = ${provider}), 0) = ${before?.updatedAt ?? 0}`,
      },
    )
    return written || null
  })
}

export function findRows(db: Db, tenantId: string): Promise<OauthRow[]> {
  return listOwn(db, tenantOauth, tenantId)
}

/** Providers that are on and have credentials. */
export function listUsable(rows: readonly OauthRow[]): ProviderName[] {
  return rows.filter((row) => row.enabled && isConfigured(row)).map(({ provider }) => provider)
}

/** A usable provider's credentials, or null. @throws conflict `unreadable`. */
export async function openOauth(
  ctx: { db: Db; config: Config },
  tenant: TenantRow,
  provider: ProviderName,
): Promise<{ clientId: string; clientSecret: string } | null> {
  const row = await findOwn(ctx.db, tenantOauth, tenant.id, eq(tenantOauth.provider, provider))
  if (!row?.enabled || row.clientId === null || row.clientSecret === null) return null
  const key = await tenantKey(ctx.config, tenant)
  return {
    clientId: row.clientId,
    clientSecret: await needTenantField(key, sealContext(tenant.id, provider), row.clientSecret),
  }
}
