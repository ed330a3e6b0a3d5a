import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const usageHourly = sqliteTable(
  'usage_hourly',
  {
    tenantId: text('tenant_id').notNull(),
    hour: integer('hour').notNull(),
    agentId: text('agent_id').notNull(),
    userId: text('user_id').notNull(),
    spaceId: text('space_id').notNull(),
    model: text('model').notNull(),
    kind: text('kind').notNull(),
    requests: integer('requests').notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    cachedTokens: integer('cached_tokens').notNull(),
    events: integer('events').notNull(),
    estimatedTokens: integer('estimated_tokens').notNull().default(0),
  },
  (t) => [
    primaryKey({
      columns: [t.tenantId, t.hour, t.agentId, t.userId, t.spaceId, t.model, t.kind],
    }),
  ],
)
