import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AgentConfig } from '../../agents/schema'
import { INSTALL_PROMPTS } from '../../config/names'

export const agents = sqliteTable('agents', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  alias: text('alias'),
  source: text('source', { enum: ['tenant', 'system'] })
    .notNull()
    .default('tenant'),
  published: integer('published', { mode: 'boolean' }).notNull().default(false),
  config: text('config', { mode: 'json' }).$type<AgentConfig>().notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const agentApps = sqliteTable('agent_apps', {
  agentId: text('agent_id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  installPrompt: text('install_prompt', { enum: INSTALL_PROMPTS }).notNull().default('off'),
  icon: text('icon'),
  updatedAt: integer('updated_at').notNull(),
})

export type AgentRow = typeof agents.$inferSelect
export type AgentAppRow = typeof agentApps.$inferSelect
