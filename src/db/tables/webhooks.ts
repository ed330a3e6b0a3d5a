import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { WebhookEventType } from '../../config/names'

export const webhooks = sqliteTable('webhooks', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  url: text('url').notNull(),
  events: text('events', { mode: 'json' }).$type<WebhookEventType[]>().notNull(),
  description: text('description'),
  secret: text('secret').notNull(),
  status: text('status', { enum: ['active', 'disabled'] })
    .notNull()
    .default('active'),
  disabledReason: text('disabled_reason', { enum: ['failing', 'gone'] }),
  failingSince: integer('failing_since'),
  lastDeliveryAt: integer('last_delivery_at'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export const webhookDeliveries = sqliteTable('webhook_deliveries', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  webhookId: text('webhook_id').notNull(),
  eventId: text('event_id').notNull(),
  type: text('type').notNull(),
  data: text('data', { mode: 'json' }).$type<Record<string, string>>().notNull(),
  replayOf: text('replay_of'),
  status: text('status', { enum: DELIVERY_STATES }).notNull().default('pending'),
  attempts: integer('attempts').notNull().default(0),
  responseStatus: integer('response_status'),
  error: text('error'),
  happenedAt: integer('happened_at').notNull(),
  firstAttemptAt: integer('first_attempt_at'),
  lastAttemptAt: integer('last_attempt_at'),
  nextAttemptAt: integer('next_attempt_at'),
  claimedUntil: integer('claimed_until').notNull().default(0),
  createdAt: integer('created_at').notNull(),
})

export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect
