import { defineRoute } from '../../http/route'
import { tenantMeter } from '../../platform/stubs'
import { presentIdentity } from '../../tenants/present-tenant'
import { Quota, TenantIdentity } from '../../tenants/schema'

const tag = 'Tenant'

export const tenantIdentityRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/me',
    layer: 'tenant',
    tag,
    summary: 'Who this key belongs to',
    answers: { 200: TenantIdentity },
    handler: (c) => c.json(presentIdentity(c.get('tenant').tenant, c.get('tenant'))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/quota',
    layer: 'tenant',
    tag,
    summary: 'Tokens used this month against the ceiling',
    answers: { 200: Quota },
    handler: async (c) => {
      const { tenant, env } = c.get('tenant')
      return c.json(await tenantMeter(env, tenant.id).quota(tenant.monthlyTokenCeiling))
    },
  }),
]
