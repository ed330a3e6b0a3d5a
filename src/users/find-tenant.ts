import type { BaseContext } from '../context'
import { findNear } from '../db/client'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { forbidden, notFound } from '../errors'
import { isNamed } from '../tenants/is-named'

/** Whether the host is the deployment's own, or the tenant's. */
export const isHere = ({ ofTenant }: BaseContext, tenantId: string): boolean =>
  ofTenant === undefined || ofTenant === tenantId

/** A tenant by its id or alias, as the public may name it. @throws notFound; forbidden when it is suspended. */
export async function findActiveTenant(base: BaseContext, name: string): Promise<TenantRow> {
  const tenant = await findNear(base.env.DB, (db) =>
    db.select().from(tenants).where(isNamed(name)).limit(1).get(),
  )
  if (!tenant || tenant.status === 'deleted' || !isHere(base, tenant.id)) throw notFound('Tenant')
  if (tenant.status !== 'active') throw forbidden('Tenant is not active')
  return tenant
}

/** A tenant whose end users sign in here. @throws as `findActiveTenant`; forbidden for a proxy tenant. */
export async function findNativeTenant(base: BaseContext, name: string): Promise<TenantRow> {
  const tenant = await findActiveTenant(base, name)
  if (tenant.authMode === 'proxy') throw forbidden('Native login is disabled')
  return tenant
}
