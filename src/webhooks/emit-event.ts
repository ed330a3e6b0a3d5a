import { eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import { webhookDeliveries, webhooks } from '../db/tables/webhooks'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { eventId, type WebhookEvent } from './events'

export const emitEvent = (env: Env, tenantId: string, event: WebhookEvent): Promise<void> =>
  emitEvents(env, tenantId, [event])

/**
 * Tells a tenant's webhooks of events: one read where none listens to them. For jobs and verbs, after what happened is
 * stored; a turn sends the job `event.emit` instead. Safe to repeat: the same type and key are delivered once.
 */
export async function emitEvents(
  env: Env,
  tenantId: string,
  events: readonly WebhookEvent[],
): Promise<void> {
  if (events.length === 0) return
  const db = openPrimary(env.DB)
  const active = await pickOwn(
    db,
    webhooks,
    tenantId,
    { id: webhooks.id, events: webhooks.events },
    eq(webhooks.status, 'active'),
  )
  const told = events.flatMap((event) =>
    active
      .filter((webhook) => webhook.events.includes(event.type))
      .map((webhook) => ({ event, webhook })),
  )
  if (told.length === 0) return
  const now = Date.now()
  const ids = new Map<WebhookEvent, string>()
  for (const event of events) ids.set(event, await eventId(tenantId, event))
  const inserts = told.map(({ event, webhook }) =>
    db
      .insert(webhookDeliveries)
      .values({
        id: newId(now),
        tenantId,
        webhookId: webhook.id,
        eventId: ids.get(event) ?? '',
        type: event.type,
        data: event.data,
        happenedAt: event.at,
        nextAttemptAt: now,
        createdAt: now,
      })
      .onConflictDoNothing()
      .returning({ deliveryId: webhookDeliveries.id }),
  )
  const added = (await db.batch(inserts as [(typeof inserts)[0], ...typeof inserts])).flat()
  await sendJobs(
    env,
    added.map(({ deliveryId }) => ({ type: 'webhook.deliver', tenantId, deliveryId })),
  )
}
