import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const idempotency = sqliteTable('idempotency', {
  scope: text('scope').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  bodyHash: text('body_hash').notNull(),
  status: integer('status'),
  answer: text('answer'),
  claim: text('claim'),
  createdAt: integer('created_at').notNull(),
})
