import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { McpConfirm, McpEra, McpTransport, PendingTool, PinnedTool } from '../../mcp/types'

/** `headers` is an envelope under the tenant's key; tools and what waits for the tenant's word are as `pin-tools.ts` has them. */
export const mcpServers = sqliteTable('mcp_servers', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  transport: text('transport').$type<McpTransport>().notNull(),
  url: text('url').notNull(),
  headers: text('headers'),
  headerNames: text('header_names', { mode: 'json' }).$type<string[]>().notNull(),
  enabled: integer('enabled', { mode: 'boolean' }).notNull().default(true),
  confirm: text('confirm', { mode: 'json' }).$type<McpConfirm>().notNull().default([]),
  era: text('era', { mode: 'json' }).$type<McpEra>(),
  tools: text('tools', { mode: 'json' }).$type<PinnedTool[]>(),
  pending: text('pending', { mode: 'json' }).$type<PendingTool[]>().notNull(),
  outcome: text('outcome', { enum: ['ready', 'failed'] }),
  lastError: text('last_error'),
  checkingAt: integer('checking_at'),
  lastCheckedAt: integer('last_checked_at'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  /** The last first. */
  formerNames: text('former_names', { mode: 'json' }).$type<string[]>().notNull().default([]),
})

export type McpServerRow = typeof mcpServers.$inferSelect
