import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const revisions = sqliteTable('revisions', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  entity: text('entity', { enum: ['agent', 'skill'] }).notNull(),
  entityId: text('entity_id').notNull(),
  actor: text('actor'),
  snapshot: text('snapshot', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  createdAt: integer('created_at').notNull(),
})

export type RevisionRow = typeof revisions.$inferSelect
