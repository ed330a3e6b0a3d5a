import { eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import { webhookDeliveries, webhooks } from '../db/tables'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { eventId, type WebhookEvent } from './events'

/**
 * Tells a tenant's webhooks of an event: one read where none listens to it. For jobs and verbs, after what happened is
 * stored; a turn sends the job `event.emit` instead. Safe to repeat: the same type and key are delivered once.
 */
export async function emitEvent(env: Env, tenantId: string, event: WebhookEvent): Promise<void> {
  const db = openPrimary(env.DB)
  const active = await pickOwn(
    db,
    webhooks,
    tenantId,
    { id: webhooks.id, events: webhooks.events },
    eq(webhooks.status, 'active'),
  )
  const listening = active.filter(({ events }) => events.includes(event.type))
  if (listening.length === 0) return
  const now = Date.now()
  const id = await eventId(tenantId, event)
  const inserts = listening.map((webhook) =>
    db
      .insert(webhookDeliveries)
      .values({
        id: newId(now),
        tenantId,
        webhookId: webhook.id,
        eventId: id,
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
