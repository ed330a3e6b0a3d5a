import { and, eq, lt, lte, sql } from 'drizzle-orm'
import { DAY_MS, WEBHOOKS } from '../config/limits'
import { configOf } from '../config/read-config'
import { type Db, openPrimary } from '../db/client'
import { selectOwn } from '../db/own'
import { type TenantRow, tenants } from '../db/tables/tenants'
import {
  type DeliveryRow,
  type WebhookRow,
  webhookDeliveries,
  webhooks,
} from '../db/tables/webhooks'
import { egressContext } from '../domains/egress-context'
import type { JobOf } from '../jobs/job'
import { readTenantField } from '../platform/crypto/read-sealed'
import { signatureHeaders } from '../platform/crypto/webhook-signature'
import { guardedFetch } from '../platform/egress'
import { EgressError } from '../platform/egress-fetch'
import { sendJobs } from '../platform/queue'
import { tenantKey } from '../platform/secrets'
import { createSystemContext } from '../platform/system-actor'
import { saveResource } from '../resources/named-resource'
import { type Attempt, afterAttempt, judgeStatus } from './after-attempt'
import { eventBody } from './events'
import { WEBHOOK } from './webhook-kind'

/** Jobs and clocks are not exact to the second. */
const EARLY_MS = 1000

export const secretContext = (webhook: Pick<WebhookRow, 'tenantId' | 'id'>) =>
  [webhook.tenantId, 'webhooks', 'secret', webhook.id] as const

/** One attempt of a delivery that is due, and the job of the next one. Two jobs for one delivery make one attempt. */
export async function deliverWebhook(
  env: Env,
  job: { tenantId: string; deliveryId: string },
): Promise<void> {
  const db = openPrimary(env.DB)
  const delivery = await claim(db, job)
  if (!delivery) return
  const [[webhook], [tenant]] = await db.batch([
    selectOwn(db, webhooks, job.tenantId, eq(webhooks.id, delivery.webhookId)).limit(1),
    db.select().from(tenants).where(eq(tenants.id, job.tenantId)).limit(1),
  ])
  if (webhook?.status !== 'active' || tenant?.status !== 'active') {
    await db
      .update(webhookDeliveries)
      .set({ status: 'failed', error: 'inactive', nextAttemptAt: null })
      .where(eq(webhookDeliveries.id, delivery.id))
    return
  }
  const attempt = await send(env, tenant, webhook, delivery)
  await record(env, delivery, webhook, attempt)
}

/** Takes a due delivery in hand and counts the attempt before it is made. */
async function claim(
  db: Db,
  job: { tenantId: string; deliveryId: string },
): Promise<DeliveryRow | undefined> {
  const now = Date.now()
  const claimed = await db
    .update(webhookDeliveries)
    .set({
      attempts: sql`attempts + 1`,
      firstAttemptAt: sql`coalesce(first_attempt_at, ${now})`,
      lastAttemptAt: now,
      claimedUntil: now + WEBHOOKS.claimMs,
    })
    .where(
      and(
        eq(webhookDeliveries.tenantId, job.tenantId),
        eq(webhookDeliveries.id, job.deliveryId),
        eq(webhookDeliveries.status, 'pending'),
        lt(webhookDeliveries.claimedUntil, now),
        lte(webhookDeliveries.nextAttemptAt, now + EARLY_MS),
      ),
    )
    .returning()
    .get()
  return claimed
}

/** Signs and sends once. Never throws for what the receiver does; of its answer only the status is looked at. */
export async function send(
  env: Env,
  tenant: TenantRow,
  webhook: WebhookRow,
  delivery: Pick<DeliveryRow, 'tenantId' | 'eventId' | 'type' | 'happenedAt' | 'data'>,
): Promise<Attempt> {
  const key = await tenantKey(configOf(env), tenant)
  const secret = await readTenantField(key, secretContext(webhook), webhook.secret)
  if (secret === null) return { status: null, error: 'secret_unreadable' }
  const body = eventBody(delivery)
  const signed = await signatureHeaders(secret, { id: delivery.eventId, body }, Date.now())
  try {
    const response = await guardedFetch(
      egressContext(env),
      webhook.url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Parley-Webhooks', ...signed },
        body,
      },
      // The body is never read, so its announced size is nobody's business.
      {
        connectMs: WEBHOOKS.deadlineMs,
        totalMs: WEBHOOKS.deadlineMs,
        maxBytes: Number.POSITIVE_INFINITY,
      },
    )
    void response.body?.cancel().catch(() => {})
    return judgeStatus(response.status)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const { code } = error
    return {
      status: null,
      error: code === 'timeout' || code === 'url_not_allowed' ? code : 'unreachable',
    }
  }
}

async function record(
  env: Env,
  delivery: DeliveryRow,
  webhook: WebhookRow,
  attempt: Attempt,
): Promise<void> {
  const ctx = createSystemContext(env, 'webhooks')
  const { db, now } = ctx
  const { tenantId } = delivery
  const next = afterAttempt(
    delivery,
    webhook,
    attempt,
    now,
    ctx.config.webhookRetryS,
    Math.random(),
  )
  await db.batch([
    db
      .update(webhookDeliveries)
      .set({ ...next.delivery, claimedUntil: 0 })
      .where(eq(webhookDeliveries.id, delivery.id)),
    db
      .update(webhooks)
      .set(
        attempt.error === null
          ? { failingSince: null, lastDeliveryAt: now }
          : { failingSince: sql`coalesce(failing_since, ${next.failingSince})` },
      )
      .where(and(eq(webhooks.id, webhook.id), eq(webhooks.status, 'active'))),
  ])
  if (next.disable !== null) await disable(ctx, webhook, next.disable, delivery)
  const { nextAttemptAt } = next.delivery
  if (nextAttemptAt === null) return
  const delaySeconds = Math.ceil((nextAttemptAt - now) / 1000)
  await sendJobs(
    env,
    [{ type: 'webhook.deliver', tenantId, deliveryId: delivery.id }],
    delaySeconds,
  )
}

async function disable(
  ctx: ReturnType<typeof createSystemContext>,
  webhook: WebhookRow,
  reason: 'failing' | 'gone',
  { firstAttemptAt }: DeliveryRow,
): Promise<void> {
  // Another delivery may have arrived since the webhook was read.
  const stillFailing =
    reason === 'gone' ? sql`` : sql`AND failing_since <= ${firstAttemptAt ?? ctx.now}`
  await saveResource(
    ctx,
    WEBHOOK,
    webhook,
    { status: 'disabled', disabledReason: reason },
    'update',
    sql`EXISTS (SELECT 1 FROM webhooks WHERE id = ${webhook.id} AND status = 'active' ${stillFailing})`,
  )
}

const SWEEP_LATE_MS = 60_000
const SWEEP_ROWS = 500

/** Deliveries whose job was lost are handed out again. @returns how many. */
export async function sweepDeliveries(env: Env, now: number): Promise<number> {
  const late = await openPrimary(env.DB)
    .select({ tenantId: webhookDeliveries.tenantId, deliveryId: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.status, 'pending'),
        lt(webhookDeliveries.nextAttemptAt, now - SWEEP_LATE_MS),
        lt(webhookDeliveries.claimedUntil, now),
      ),
    )
    .orderBy(webhookDeliveries.nextAttemptAt)
    .limit(SWEEP_ROWS)
  await sendJobs(
    env,
    late.map((row) => ({ type: 'webhook.deliver', ...row })),
  )
  return late.length
}

/** Of one statement: while it runs, nobody else's does, and one of millions would never end. */
const PURGE_ROWS = 5000
const PURGES_AT_ONCE = 20

/** Some of what was delivered to a webhook that is gone, and the job for the rest. Safe to run twice. */
export async function clearWebhook(env: Env, job: JobOf<'webhook.clear'>): Promise<void> {
  if (await removeDeliveries(env, job)) await sendJobs(env, [job])
}

/** @returns whether there may be more */
export async function removeDeliveries(
  env: Env,
  { tenantId, webhookId }: { tenantId: string; webhookId: string },
): Promise<boolean> {
  for (let n = 0; n < PURGES_AT_ONCE; n++) {
    const { meta } = await env.DB.prepare(
      'DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND tenant_id = ? LIMIT ?)',
    )
      .bind(webhookId, tenantId, PURGE_ROWS)
      .run()
    if (meta.changes < PURGE_ROWS) return false
  }
  return true
}

/** Deliveries can be read and replayed for 30 days. */
export async function purgeDeliveries(env: Env, now: number): Promise<void> {
  for (;;) {
    const { meta } = await env.DB.prepare(
      'DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE created_at < ? LIMIT ?)',
    )
      .bind(now - WEBHOOKS.keptDays * DAY_MS, PURGE_ROWS)
      .run()
    if (meta.changes < PURGE_ROWS) return
  }
}
