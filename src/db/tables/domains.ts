import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const customDomains = sqliteTable('custom_domains', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  domain: text('domain').notNull(),
  agentAlias: text('agent_alias'),
  label: text('label').notNull(),
  status: text('status', { enum: ['pending', 'active', 'error'] }).notNull(),
  verifiedAt: integer('verified_at'),
  lastCheckedAt: integer('last_checked_at'),
  lastError: text('last_error'),
  nextCheckAt: integer('next_check_at').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const customDomainVersion = sqliteTable('custom_domain_version', {
  id: integer('id').primaryKey(),
  n: integer('n').notNull(),
})

export type CustomDomainRow = typeof customDomains.$inferSelect
