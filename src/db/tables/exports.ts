import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ExportPlace } from '../../exports/place'

export const EXPORT_STATES = ['running', 'ready', 'failed'] as const

export const exports = sqliteTable('exports', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  status: text('status', { enum: EXPORT_STATES }).notNull(),
  error: text('error', { enum: ['too_large', 'failed'] }),
  at: text('at', { mode: 'json' }).$type<ExportPlace>(),
  parts: text('parts', { mode: 'json' }).$type<string[]>().notNull(),
  files: integer('files').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  toldAt: integer('told_at'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  finishedAt: integer('finished_at'),
  expiresAt: integer('expires_at').notNull(),
})

export type ExportRow = typeof exports.$inferSelect
