import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { HANDOFF_REASONS, HANDOFF_STATES } from '../../config/names'

export const handoffs = sqliteTable('handoffs', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  spaceId: text('space_id').notNull(),
  sessionId: text('session_id').notNull(),
  agentName: text('agent_name').notNull(),
  status: text('status', { enum: HANDOFF_STATES }).notNull(),
  reason: text('reason', { enum: HANDOFF_REASONS }).notNull(),
  summary: text('summary'),
  n: integer('n').notNull(),
  mailedAt: integer('mailed_at'),
  createdAt: integer('created_at').notNull(),
  answeredAt: integer('answered_at'),
  closedAt: integer('closed_at'),
})

export type HandoffRow = typeof handoffs.$inferSelect
