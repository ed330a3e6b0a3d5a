import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Users and spaces that are being removed, and those that were removed within a day. */
export const deletions = sqliteTable(
  'deletions',
  {
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    spaceId: text('space_id').notNull().default(''),
    requestId: text('request_id').notNull(),
    removed: text('removed', { mode: 'json' }).$type<Record<string, number>>(),
    requestedAt: integer('requested_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.spaceId] })],
)
