import * as z from 'zod'
import { PAGES } from '../../config/limits'
import { defineRoute } from '../../http/route'
import { presentTenant } from '../../tenants/present-tenant'
import { TenantCreated, TenantIn, TenantOut, TenantPage, TenantPatch } from '../../tenants/schema'
import {
  createTenant,
  deleteTenant,
  getTenant,
  listTenants,
  updateTenant,
} from '../../tenants/tenants'
import { pageQuery, uuidParam } from '../../wire/fields'
import { readPage } from '../../wire/paging'

const tag = 'Operator'
const params = z.object({ tenant_id: uuidParam })
const query = z.object(pageQuery(PAGES.manage))

export const adminTenantRoutes = [
  defineRoute({
    method: 'POST',
    path: '/v1/admin/tenants',
    layer: 'operator',
    tag,
    summary: 'Create a tenant; its first key is shown once',
    json: TenantIn,
    answers: { 200: TenantCreated },
    errors: [409],
    idempotent: { redacted: ['key.api_key'] },
    handler: async (c) => {
      const { tenant, keyId, apiKey } = await createTenant(c.get('operator'), c.req.valid('json'))
      return c.json({ ...presentTenant(tenant), key: { id: keyId, api_key: apiKey } })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/admin/tenants',
    layer: 'operator',
    tag,
    summary: 'List tenants, oldest first',
    query,
    answers: { 200: TenantPage },
    handler: async (c) => {
      const ctx = c.get('operator')
      return c.json(
        await readPage(ctx, c.req.valid('query'), {
          route: 'admin/tenants',
          read: (after: string | null, limit) => listTenants(ctx, after, limit),
          position: (row) => row.id,
          present: presentTenant,
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/admin/tenants/{tenant_id}',
    layer: 'operator',
    tag,
    summary: 'Read a tenant',
    params,
    answers: { 200: TenantOut },
    errors: [404],
    handler: async (c) =>
      c.json(presentTenant(await getTenant(c.get('operator'), c.req.valid('param').tenant_id))),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/admin/tenants/{tenant_id}',
    layer: 'operator',
    tag,
    summary: 'Change name, status, ceiling or features',
    params,
    json: TenantPatch,
    answers: { 200: TenantOut },
    errors: [404],
    handler: async (c) =>
      c.json(
        presentTenant(
          await updateTenant(
            c.get('operator'),
            c.req.valid('param').tenant_id,
            c.req.valid('json'),
          ),
        ),
      ),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/admin/tenants/{tenant_id}',
    layer: 'operator',
    tag,
    summary:
      'Delete a tenant: its user keys are destroyed, the rest follows in the background, the audit stays',
    params,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteTenant(c.get('operator'), c.req.valid('param').tenant_id)
      return c.body(null, 204)
    },
  }),
]
