import type { BaseContext } from '../context'
import { findRows, listUsable } from '../tenants/oauth'
import { logoUrl } from '../tenants/present-settings'
import { findActiveTenant } from './find-tenant'

/** How people sign in at a tenant: only what is switched on and set up. @throws notFound; forbidden when suspended. */
export async function listMethods(base: BaseContext, named: string) {
  const tenant = await findActiveTenant(base, named)
  const isNative = tenant.authMode === 'native'
  return {
    tenant_id: tenant.id,
    name: tenant.name,
    logo_url: logoUrl(tenant, base),
    auth_mode: tenant.authMode,
    password: isNative,
    registration: isNative,
    oauth: isNative ? listUsable(await findRows(base.db, tenant.id)) : [],
  }
}
