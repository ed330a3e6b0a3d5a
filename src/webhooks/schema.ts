import * as z from 'zod'
import { EGRESS, PAGES, WEBHOOKS } from '../config/limits'
import { WEBHOOK_EVENTS } from '../config/names'
import { DELIVERY_STATES } from '../db/tables/webhooks'
import { pageQuery, uuidParam } from '../wire/fields'
import { pageOf } from '../wire/paging'

export const WebhookIn = z.object({
  url: z.string().min(1).max(EGRESS.urlLength),
  /** All of them when omitted. */
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(100).nullable().optional(),
  description: z.string().max(WEBHOOKS.descriptionLength).nullable().optional(),
})
export type WebhookIn = z.output<typeof WebhookIn>

export const WebhookOut = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  status: z.enum(['active', 'disabled']),
  disabled_reason: z.enum(['failing', 'gone']).nullable(),
  failing_since: z.string().nullable(),
  last_delivery_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
/** `secret` is shown once. */
export const WebhookCreated = WebhookOut.extend({ secret: z.string().nullable() })

export const DeliveryQuery = z.object({
  ...pageQuery(PAGES.deliveries),
  status: z.enum(DELIVERY_STATES).optional(),
})
export const DeliveryOut = z.object({
  id: z.string(),
  event_id: z.string(),
  type: z.string(),
  data: z.record(z.string(), z.string()),
  status: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  response_status: z.int().nullable(),
  error: z.string().nullable(),
  replay_of: z.string().nullable(),
  happened_at: z.string(),
  created_at: z.string(),
  last_attempt_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
})
export const DeliveryPage = pageOf(DeliveryOut)

export const webhookParams = z.object({ id: uuidParam })
export const deliveryParams = z.object({ id: uuidParam, delivery_id: uuidParam })
