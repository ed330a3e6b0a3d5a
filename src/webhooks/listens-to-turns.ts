import { eq } from 'drizzle-orm'
import type { WebhookEventType } from '../config/names'
import { openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import { webhooks } from '../db/tables/webhooks'

/** Whether one of these types of event says how a turn ended. */
export const hearsTurns = (events: readonly WebhookEventType[]): boolean =>
  events.some((type) => type.startsWith('turn.'))

/** Whether an active webhook of the tenant waits for turns. */
export async function listensToTurns(env: Env, tenantId: string): Promise<boolean> {
  const active = await pickOwn(
    openPrimary(env.DB),
    webhooks,
    tenantId,
    { events: webhooks.events },
    eq(webhooks.status, 'active'),
  )
  return active.some(({ events }) => hearsTurns(events))
}
