import type { Example } from './route-examples'
import { expectOk, type SeededTenant } from './seed'
import type { World } from './world'

const ABSENT = '01890a5d-ac96-774b-bcce-b302099a8057'

interface Hook {
  id: string
  deliveryId: string
}
const hooks = new WeakMap<SeededTenant, Promise<Hook>>()

/** One webhook a tenant, with a delivery: a tenant has at most twenty. */
function hookOf(w: World, tenant: SeededTenant): Promise<Hook> {
  const hook = hooks.get(tenant) ?? makeHook(w, tenant)
  hooks.set(tenant, hook)
  return hook
}

async function makeHook(w: World, tenant: SeededTenant): Promise<Hook> {
  const id = await freshHook(w, tenant)
  const { json } = await expectOk(tenant.call('POST', `/v1/tenant/webhooks/${id}/test`))
  return { id, deliveryId: json.id }
}

async function freshHook(w: World, tenant: SeededTenant): Promise<string> {
  const { json } = await expectOk(tenant.call('POST', '/v1/tenant/webhooks', { url: w.page }))
  return json.id
}

/** Written past the route, which allows twenty: every refused call of the matrix makes one. */
async function rowOf(w: World, tenant: SeededTenant): Promise<string> {
  const { id } = await hookOf(w, tenant)
  const copy = crypto.randomUUID()
  await w.db
    .prepare(
      `INSERT INTO webhooks (id, tenant_id, url, events, secret, created_at, updated_at)
       SELECT ?, tenant_id, url, events, secret, created_at, updated_at FROM webhooks WHERE id = ?`,
    )
    .bind(copy, id)
    .run()
  return copy
}

const foreignHooks = new WeakMap<World, Hook>()
/** References are read at once, so the other tenant's webhook is made while the request is filled. */
async function withForeign(w: World): Promise<void> {
  if (!foreignHooks.has(w)) foreignHooks.set(w, await hookOf(w, w.foreign.tenant))
}
const foreignOf = (w: World, field: keyof Hook) => foreignHooks.get(w)?.[field] ?? ABSENT

const webhookId = {
  in: 'params' as const,
  field: 'id',
  resource: 'Webhook',
  foreign: (w: World) => foreignOf(w, 'id'),
  absent: ABSENT,
}
const params = async (w: World) => {
  await withForeign(w)
  const { id } = await hookOf(w, w.own.tenant)
  return { params: { id } }
}

export const PRIVACY_EXAMPLES: Record<string, Example> = {
  'GET /v1/tenant/privacy': { fill: () => ({}) },
  'PUT /v1/tenant/privacy': { fill: () => ({ body: { privacy_mode: false } }) },
  'GET /v1/tenant/webhooks': { fill: () => ({}) },
  'POST /v1/tenant/webhooks': {
    fill: async (w) => {
      await w.db
        .prepare("DELETE FROM webhooks WHERE tenant_id = ? AND description = 'example'")
        .bind(w.own.tenant.id)
        .run()
      return { body: { url: w.page, events: ['turn.completed'], description: 'example' } }
    },
  },
  'DELETE /v1/tenant/webhooks/{id}': {
    makesObject: true,
    fill: async (w) => {
      await withForeign(w)
      return { params: { id: await rowOf(w, w.own.tenant) } }
    },
    refers: [webhookId],
  },
  'POST /v1/tenant/webhooks/{id}/test': { fill: params, refers: [webhookId] },
  'GET /v1/tenant/webhooks/{id}/deliveries': { fill: params, refers: [webhookId] },
  'POST /v1/tenant/webhooks/{id}/deliveries/{delivery_id}/replay': {
    fill: async (w) => {
      await withForeign(w)
      const { id, deliveryId } = await hookOf(w, w.own.tenant)
      return { params: { id, delivery_id: deliveryId } }
    },
    refers: [
      webhookId,
      {
        in: 'params',
        field: 'delivery_id',
        resource: 'Delivery',
        foreign: (w) => foreignOf(w, 'deliveryId'),
        absent: ABSENT,
      },
    ],
  },

  'POST /me/remembered/carry': {
    fill: async (w) => {
      const body = { tenant_id: w.own.tenant.id }
      const { json } = await expectOk(w.parley.call('POST', '/auth/anonymous', { body }))
      return { body: { anonymous_token: json.access_token } }
    },
  },
}
