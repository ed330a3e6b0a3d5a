import { and, desc, eq, lt } from 'drizzle-orm'
import { WEBHOOK_EVENTS } from '../config/names'
import type { TenantContext } from '../context'
import { findOwn, listOwn, selectOwn } from '../db/own'
import {
  type DeliveryRow,
  type WebhookRow,
  webhookDeliveries,
  webhooks,
} from '../db/tables/webhooks'
import { egressContext } from '../domains/egress-context'
import { ApiError, conflict, notFound } from '../errors'
import { sealField } from '../platform/crypto/field'
import { newSecret } from '../platform/crypto/webhook-signature'
import { assertUrlAllowed } from '../platform/egress'
import { EgressError } from '../platform/egress-fetch'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { tenantKey } from '../platform/secrets'
import { tenantMeter } from '../platform/stubs'
import {
  changeResource,
  createResource,
  getResource,
  removeResource,
  saveResource,
} from '../resources/named-resource'
import { secretContext, send } from './deliver'
import { eventId, TEST_EVENT } from './events'
import { hearsTurns } from './listens-to-turns'
import type { WebhookIn } from './schema'
import { WEBHOOK } from './webhook-kind'

export function listWebhooks({ db, tenant }: TenantContext): Promise<WebhookRow[]> {
  return listOwn(db, webhooks, tenant.id, [], [desc(webhooks.id)])
}

/** @returns the signing secret, for this one answer. @throws invalid for an address that may not be called; conflict beyond the limit. */
export async function createWebhook(
  ctx: TenantContext,
  input: WebhookIn,
): Promise<{ row: WebhookRow; secret: string }> {
  const { tenant, now } = ctx
  const url = await checkAddress(ctx, input.url)
  const secret = newSecret()
  const identity = { id: newId(now), tenantId: tenant.id }
  const row = await createResource(ctx, WEBHOOK, {
    ...identity,
    url,
    events: WEBHOOK_EVENTS.filter((type) => input.events?.includes(type) ?? true),
    description: input.description ?? null,
    secret: await sealField(await tenantKey(ctx.config, tenant), secretContext(identity), secret),
    status: 'active',
    disabledReason: null,
    failingSince: null,
    lastDeliveryAt: null,
    createdAt: now,
    updatedAt: now,
  })
  if (hearsTurns(row.events)) await tenantMeter(ctx.env, tenant.id).push({ listens: true })
  return { row, secret }
}

/** A resolver that does not answer refuses nothing here: the address is checked again before every delivery. */
async function checkAddress(ctx: TenantContext, text: string): Promise<string> {
  try {
    return (await assertUrlAllowed(egressContext(ctx.env), text)).href
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.code !== 'url_not_allowed') return new URL(text).href
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body', 'url'], msg: 'URL is not allowed' },
    ])
  }
}

/** Nothing more is sent; a job removes what was delivered. @throws notFound. */
export async function deleteWebhook(ctx: TenantContext, id: string): Promise<void> {
  await changeResource(ctx, WEBHOOK, id, async () =>
    removeResource(ctx, WEBHOOK, await getWebhook(ctx, id)),
  )
  const { env, tenant, log } = ctx
  await tenantMeter(env, tenant.id).push({ listens: null })
  // What no job removes goes by its age.
  await sendJobs(env, [{ type: 'webhook.clear', tenantId: tenant.id, webhookId: id }]).catch(
    (error: unknown) => log.error('deliveries_left', error),
  )
}

/** Sends a test event now, once. One that was switched off is on again when it arrives. @throws notFound. */
export async function testWebhook(ctx: TenantContext, id: string): Promise<DeliveryRow> {
  const { db, tenant, now } = ctx
  const webhook = await getWebhook(ctx, id)
  const deliveryId = newId(now)
  const event = { tenantId: tenant.id, type: TEST_EVENT, happenedAt: now, data: { webhook_id: id } }
  const named = {
    ...event,
    eventId: await eventId(tenant.id, { type: TEST_EVENT, key: deliveryId }),
  }
  const attempt = await send(ctx.env, tenant, webhook, named)
  const row: DeliveryRow = {
    ...named,
    id: deliveryId,
    webhookId: id,
    replayOf: null,
    status: attempt.error === null ? 'delivered' : 'failed',
    attempts: 1,
    responseStatus: attempt.status,
    error: attempt.error,
    firstAttemptAt: now,
    lastAttemptAt: now,
    nextAttemptAt: null,
    claimedUntil: 0,
    createdAt: now,
  }
  await db.insert(webhookDeliveries).values(row)
  if (attempt.error === null) await noteArrival(ctx, id)
  return row
}

async function noteArrival(ctx: TenantContext, id: string): Promise<void> {
  await changeResource(ctx, WEBHOOK, id, async () => {
    const before = await getWebhook(ctx, id)
    const arrived = { failingSince: null, lastDeliveryAt: ctx.now }
    if (before.status !== 'active') {
      const enabled = { ...arrived, status: 'active', disabledReason: null } as const
      return saveResource(ctx, WEBHOOK, before, enabled)
    }
    return ctx.db
      .update(webhooks)
      .set(arrived)
      .where(and(eq(webhooks.tenantId, ctx.tenant.id), eq(webhooks.id, id)))
  })
  // It may have been switched on by this, also while somebody looked whether there is any.
  await tenantMeter(ctx.env, ctx.tenant.id).push({ listens: true })
}

/** One more than `limit`, newest first. @throws notFound. */
export async function listDeliveries(
  ctx: TenantContext,
  id: string,
  page: { before: string | null; status: DeliveryRow['status'] | undefined; limit: number },
): Promise<DeliveryRow[]> {
  await getWebhook(ctx, id)
  return selectOwn(
    ctx.db,
    webhookDeliveries,
    ctx.tenant.id,
    eq(webhookDeliveries.webhookId, id),
    page.status === undefined ? undefined : eq(webhookDeliveries.status, page.status),
    page.before === null ? undefined : lt(webhookDeliveries.id, page.before),
  )
    .orderBy(desc(webhookDeliveries.id))
    .limit(page.limit + 1)
}

/**
 * Sends an event once more, with its own attempts and under the event's own id, by which a receiver knows a repeat.
 * @throws notFound; conflict while the webhook is switched off.
 */
export async function replayDelivery(
  ctx: TenantContext,
  id: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  const { db, tenant, now } = ctx
  const webhook = await getWebhook(ctx, id)
  const original = await findOwn(
    db,
    webhookDeliveries,
    tenant.id,
    eq(webhookDeliveries.webhookId, id),
    eq(webhookDeliveries.id, deliveryId),
  )
  if (!original) throw notFound('Delivery')
  if (webhook.status !== 'active') {
    throw conflict('The webhook is disabled; a test that arrives enables it')
  }
  const { tenantId, webhookId, eventId, type, data, happenedAt } = original
  const row = await db
    .insert(webhookDeliveries)
    .values({
      id: newId(now),
      ...{ tenantId, webhookId, eventId, type, data, happenedAt },
      replayOf: original.id,
      nextAttemptAt: now,
      createdAt: now,
    })
    .returning()
    .get()
  if (!row) throw notFound('Delivery')
  await sendJobs(ctx.env, [{ type: 'webhook.deliver', tenantId, deliveryId: row.id }])
  return row
}

const getWebhook = (ctx: TenantContext, id: string): Promise<WebhookRow> =>
  getResource(ctx, WEBHOOK, eq(webhooks.id, id))
