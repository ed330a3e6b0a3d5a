import { and, eq } from 'drizzle-orm'
import type { ProviderName } from '../config/names'
import type { BaseContext } from '../context'
import { findNear, openReplica } from '../db/client'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { isNamed } from '../tenants/is-named'
import { findRows, listUsable } from '../tenants/oauth'
import { logoPath } from '../tenants/present-settings'
import { findRow } from '../tenants/smtp'

export interface LoginPage {
  tenant: TenantRow
  logoUrl: string | null
  native: boolean
  mail: boolean
  oauth: ProviderName[]
}

/** An active tenant's sign-in by its alias or id, or null. */
export async function loadLoginPage(base: BaseContext, name: string): Promise<LoginPage | null> {
  const named = and(isNamed(name), eq(tenants.status, 'active'))
  const tenant = await findNear(base.env.DB, (db) =>
    db.select().from(tenants).where(named).limit(1).get(),
  )
  if (!tenant) return null
  const db = openReplica(base.env.DB)
  const native = tenant.authMode === 'native'
  return {
    tenant,
    logoUrl: tenant.logo === null ? null : logoPath(tenant.id, tenant.logo),
    native,
    mail: (await findRow(db, tenant.id)) !== undefined,
    oauth: native ? listUsable(await findRows(db, tenant.id)) : [],
  }
}
