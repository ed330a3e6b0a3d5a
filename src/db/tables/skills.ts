import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SkillConfig } from '../../skills/schema'

export const skills = sqliteTable('skills', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  config: text('config', { mode: 'json' }).$type<SkillConfig>().notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export type SkillRow = typeof skills.$inferSelect
