import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { REVIEW_STATES, type ReviewReason } from '../../config/names'

/** `seq` rises with every review: newest first, and whether one came since another reader looked. */
export const reviews = sqliteTable('reviews', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull(),
  tenantId: text('tenant_id').notNull(),
  agentId: text('agent_id').notNull(),
  agentName: text('agent_name').notNull(),
  baseId: text('base_id'),
  reasons: text('reasons', { mode: 'json' }).$type<ReviewReason[]>().notNull(),
  status: text('status', { enum: REVIEW_STATES }).notNull().default('pending'),
  count: integer('count').notNull().default(1),
  firstMessageId: text('first_message_id').notNull(),
  lastMessageId: text('last_message_id').notNull(),
  draft: text('draft'),
  documentId: text('document_id'),
  documentVersion: text('document_version'),
  verified: integer('verified', { mode: 'boolean' }),
  createdAt: integer('created_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  decidedAt: integer('decided_at'),
})

/** One row for each review and user who asked. Texts and vector are envelopes under the tenant's key. */
export const reviewOrigins = sqliteTable(
  'review_origins',
  {
    reviewId: text('review_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    question: text('question').notNull(),
    body: text('body').notNull(),
    vector: text('vector'),
    embedder: text('embedder'),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.reviewId, t.userId] })],
)

export type ReviewRow = typeof reviews.$inferSelect
export type ReviewOriginRow = typeof reviewOrigins.$inferSelect
