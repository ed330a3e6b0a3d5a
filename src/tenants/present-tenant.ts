import type { BaseContext } from '../context'
import type { ApiKeyRow, TenantRow } from '../db/tables/tenants'
import { isoOf } from '../time'

export function presentTenant(row: TenantRow) {
  return {
    id: row.id,
    tenant_id: row.id,
    name: row.name,
    alias: row.alias,
    auth_mode: row.authMode,
    status: row.status,
    monthly_token_ceiling: row.monthlyTokenCeiling,
    features: row.features,
    privacy_mode: row.privacyMode,
    created_at: isoOf(row.createdAt),
    updated_at: isoOf(row.updatedAt),
  }
}

/** What the audit trail keeps: when it was written says the entry. */
export function auditTenant(row: TenantRow) {
  const { updated_at, ...kept } = presentTenant(row)
  return kept
}

export function presentIdentity(row: TenantRow, ctx: Pick<BaseContext, 'origin'>) {
  return {
    tenant_id: row.id,
    name: row.name,
    auth_mode: row.authMode,
    alias: row.alias,
    public_base: ctx.origin,
  }
}

export function presentKey(row: ApiKeyRow) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    revoked: row.revoked,
    created_at: isoOf(row.createdAt),
    last_used_at: row.lastUsedAt === null ? null : isoOf(row.lastUsedAt),
  }
}

/** What the audit trail keeps of a key: never the key itself. */
export function auditKey(row: ApiKeyRow) {
  return { id: row.id, name: row.name, scopes: row.scopes, revoked: row.revoked }
}
