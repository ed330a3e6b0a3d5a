import * as z from 'zod'
import { defineRoute } from '../../http/route'
import { presentDelivery, presentWebhook } from '../../webhooks/present-webhook'
import {
  DeliveryOut,
  DeliveryPage,
  DeliveryQuery,
  deliveryParams,
  WebhookCreated,
  WebhookIn,
  WebhookOut,
  webhookParams,
} from '../../webhooks/schema'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  testWebhook,
} from '../../webhooks/webhooks'
import { readPage } from '../../wire/paging'

const tag = 'Webhooks'

export const tenantWebhookRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/webhooks',
    layer: 'tenant',
    tag,
    summary: 'List webhooks, newest first, never their secrets',
    answers: { 200: z.array(WebhookOut) },
    handler: async (c) => c.json((await listWebhooks(c.get('tenant'))).map(presentWebhook)),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tenant/webhooks',
    layer: 'tenant',
    tag,
    summary: 'Add a webhook. Its signing secret is shown once',
    json: WebhookIn,
    answers: { 200: WebhookCreated },
    errors: [409],
    idempotent: { redacted: ['secret'] },
    handler: async (c) => {
      const { row, secret } = await createWebhook(c.get('tenant'), c.req.valid('json'))
      return c.json({ ...presentWebhook(row), secret })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/tenant/webhooks/{id}',
    layer: 'tenant',
    tag,
    summary: 'Remove a webhook and what is known of its deliveries',
    params: webhookParams,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteWebhook(c.get('tenant'), c.req.valid('param').id)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tenant/webhooks/{id}/test',
    layer: 'tenant',
    tag,
    summary: 'Send a test event now. One that arrives enables a disabled webhook again',
    params: webhookParams,
    rate: 'webhookTest',
    answers: { 200: DeliveryOut },
    errors: [404],
    handler: async (c) =>
      c.json(presentDelivery(await testWebhook(c.get('tenant'), c.req.valid('param').id))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/webhooks/{id}/deliveries',
    layer: 'tenant',
    tag,
    summary: 'What was sent in the last 30 days, newest first',
    params: webhookParams,
    query: DeliveryQuery,
    answers: { 200: DeliveryPage },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { id } = c.req.valid('param')
      const { status, ...page } = c.req.valid('query')
      return c.json(
        await readPage(ctx, page, {
          route: 'tenant/webhooks/deliveries',
          filter: { id, status: status ?? null },
          read: (before: string | null, limit) =>
            listDeliveries(ctx, id, { before, status, limit }),
          position: (row) => row.id,
          present: presentDelivery,
        }),
      )
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tenant/webhooks/{id}/deliveries/{delivery_id}/replay',
    layer: 'tenant',
    tag,
    summary: 'Send an event once more, under the same id',
    params: deliveryParams,
    answers: { 200: DeliveryOut },
    errors: [404, 409],
    handler: async (c) => {
      const { id, delivery_id } = c.req.valid('param')
      return c.json(presentDelivery(await replayDelivery(c.get('tenant'), id, delivery_id)))
    },
  }),
]
