import {
  bindDomain,
  checkBinding,
  findBinding,
  isEnabled,
  unbindDomain,
} from '../../domains/domains'
import { presentDomain } from '../../domains/present-domain'
import { cnameTarget } from '../../domains/records'
import { CustomDomainFeature, CustomDomainIn, CustomDomainOut } from '../../domains/schema'
import { defineRoute } from '../../http/route'

const tag = 'Domains'

export const tenantDomainRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/custom-domain/feature',
    layer: 'tenant',
    tag,
    summary: 'Whether a domain may be bound, and whether one is',
    answers: { 200: CustomDomainFeature },
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await findBinding(ctx)
      return c.json({
        enabled: isEnabled(ctx),
        bound: row !== null,
        cname_target: row && cnameTarget(ctx.config, row),
      })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/custom-domain',
    layer: 'tenant',
    tag,
    summary: 'The bound domain, or null',
    answers: { 200: CustomDomainOut.nullable() },
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await findBinding(ctx)
      return c.json(row && (await presentDomain(ctx.config, row)))
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/tenant/custom-domain',
    layer: 'tenant',
    tag,
    summary:
      'Bind a domain: another name needs a new record, another agent_alias does not; null shows all published agents',
    json: CustomDomainIn,
    answers: { 200: CustomDomainOut },
    errors: [403, 404, 409],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(await presentDomain(ctx.config, await bindDomain(ctx, c.req.valid('json'))))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/tenant/custom-domain',
    layer: 'tenant',
    tag,
    summary: 'Take the domain offline; binding it again needs a new record',
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await unbindDomain(c.get('tenant'))
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tenant/custom-domain/check',
    layer: 'tenant',
    tag,
    summary: "Look at the domain's records now",
    answers: { 200: CustomDomainOut },
    errors: [404, 429],
    rate: 'domainCheck',
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(await presentDomain(ctx.config, await checkBinding(ctx)))
    },
  }),
]
