import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isThere, nextUpdate, untilCommitted } from '../audit/until-committed'
import { WEBHOOKS } from '../config/limits'
import { WEBHOOK_EVENTS } from '../config/names'
import type { TenantContext } from '../context'
import { type DeliveryRow, type WebhookRow, webhookDeliveries, webhooks } from '../db/tables'
import { ApiError, conflict, notFound } from '../errors'
import { sealField } from '../platform/crypto/field'
import { newSecret } from '../platform/crypto/webhook-signature'
import { assertUrlAllowed } from '../platform/egress'
import { egressContext } from '../platform/egress-context'
import { EgressError } from '../platform/egress-fetch'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { tenantKey } from '../platform/secrets'
import { secretContext, send } from './deliver'
import { eventId, TEST_EVENT } from './events'
import { auditWebhook } from './present-webhook'
import type { WebhookIn } from './schema'

export function listWebhooks({ db, tenant }: TenantContext): Promise<WebhookRow[]> {
  return db
    .select()
    .from(webhooks)
    .where(eq(webhooks.tenantId, tenant.id))
    .orderBy(desc(webhooks.id))
}

/** @returns the signing secret, for this one answer. @throws invalid for an address that may not be called; conflict beyond the limit. */
export async function createWebhook(
  ctx: TenantContext,
  input: WebhookIn,
): Promise<{ row: WebhookRow; secret: string }> {
  const { db, tenant, now } = ctx
  const url = await checkAddress(ctx, input.url)
  const secret = newSecret()
  const identity = { id: newId(now), tenantId: tenant.id }
  const row: WebhookRow = {
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
  }
  const created = await commitChange(ctx, tenant.id, [db.insert(webhooks).values(row)], {
    action: 'create',
    entity: 'webhook',
    entityId: row.id,
    entityName: null,
    before: null,
    after: auditWebhook(row),
    requires: sql`(SELECT count(*) FROM webhooks WHERE tenant_id = ${tenant.id}) < ${WEBHOOKS.perTenant}`,
  })
  if (!created) throw conflict(`A tenant has at most ${WEBHOOKS.perTenant} webhooks`)
  return { row, secret }
}

/** A resolver that does not answer refuses nothing here: the address is checked again before every delivery. */
async function checkAddress(ctx: TenantContext, text: string): Promise<string> {
  try {
    return (await assertUrlAllowed(egressContext(ctx.config), text)).href
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    if (error.code !== 'url_not_allowed') return new URL(text).href
    throw new ApiError('validation', [
      { type: 'value_error', loc: ['body', 'url'], msg: 'URL is not allowed' },
    ])
  }
}

/** With it goes what was delivered; nothing more is sent. @throws notFound. */
export async function deleteWebhook(ctx: TenantContext, id: string): Promise<void> {
  const { db } = ctx
  await untilCommitted(turnOf(id), async () => {
    const before = await getWebhook(ctx, id)
    const deliveries = eq(webhookDeliveries.webhookId, id)
    const deleted = await commitChange(
      ctx,
      ctx.tenant.id,
      [db.delete(webhookDeliveries).where(deliveries), db.delete(webhooks).where(own(ctx, id))],
      {
        action: 'delete',
        entity: 'webhook',
        entityId: id,
        entityName: null,
        before: auditWebhook(before),
        after: null,
        requires: isThere(webhooks, before),
      },
    )
    return deleted || null
  })
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
  const attempt = await send(ctx.config, tenant, webhook, named)
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

function noteArrival(ctx: TenantContext, id: string): Promise<unknown> {
  return untilCommitted(turnOf(id), async () => {
    const before = await getWebhook(ctx, id)
    const arrived = { failingSince: null, lastDeliveryAt: ctx.now }
    const set = ctx.db.update(webhooks).set(arrived).where(own(ctx, id))
    if (before.status === 'active') return (await set.run()) && true
    const changed = {
      ...arrived,
      status: 'active',
      disabledReason: null,
      updatedAt: nextUpdate(before, ctx.now),
    } as const
    const enabled = await commitChange(
      ctx,
      ctx.tenant.id,
      [ctx.db.update(webhooks).set(changed).where(own(ctx, id))],
      {
        action: 'update',
        entity: 'webhook',
        entityId: id,
        entityName: null,
        before: auditWebhook(before),
        after: auditWebhook({ ...before, ...changed }),
        requires: isThere(webhooks, before),
      },
    )
    return enabled || null
  })
}

/** One more than `limit`, newest first. @throws notFound. */
export async function listDeliveries(
  ctx: TenantContext,
  id: string,
  page: { before: string | null; status: DeliveryRow['status'] | undefined; limit: number },
): Promise<DeliveryRow[]> {
  await getWebhook(ctx, id)
  return ctx.db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.tenantId, ctx.tenant.id),
        eq(webhookDeliveries.webhookId, id),
        page.status === undefined ? undefined : eq(webhookDeliveries.status, page.status),
        page.before === null ? undefined : lt(webhookDeliveries.id, page.before),
      ),
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
  const [original] = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.tenantId, tenant.id),
        eq(webhookDeliveries.webhookId, id),
        eq(webhookDeliveries.id, deliveryId),
      ),
    )
    .limit(1)
  if (!original) throw notFound('Delivery')
  if (webhook.status !== 'active') {
    throw conflict('The webhook is disabled; a test that arrives enables it')
  }
  const { tenantId, webhookId, eventId, type, data, happenedAt } = original
  const [row] = await db
    .insert(webhookDeliveries)
    .values({
      id: newId(now),
      ...{ tenantId, webhookId, eventId, type, data, happenedAt },
      replayOf: original.id,
      nextAttemptAt: now,
      createdAt: now,
    })
    .returning()
  if (!row) throw notFound('Delivery')
  await sendJobs(ctx.env, [{ type: 'webhook.deliver', tenantId, deliveryId: row.id }])
  return row
}

const turnOf = (id: string) => `webhook ${id}`
const own = (ctx: TenantContext, id: string) =>
  and(eq(webhooks.tenantId, ctx.tenant.id), eq(webhooks.id, id))

async function getWebhook(ctx: TenantContext, id: string): Promise<WebhookRow> {
  const [row] = await ctx.db.select().from(webhooks).where(own(ctx, id)).limit(1)
  if (!row) throw notFound('Webhook')
  return row
}
