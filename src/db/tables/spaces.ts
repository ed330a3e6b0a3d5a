import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const spaces = sqliteTable('spaces', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  name: text('name').notNull(),
  isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
  tag: integer('tag').notNull(),
  sessionCount: integer('session_count').notNull().default(0),
  countedAt: integer('counted_at').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const spaceAgents = sqliteTable(
  'space_agents',
  {
    spaceId: text('space_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    agentId: text('agent_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.spaceId, t.agentId] })],
)

/** Merges under way, and those that were given up of late. */
export const spaceMerges = sqliteTable('space_merges', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  sourceId: text('source_id').notNull(),
  targetId: text('target_id').notNull(),
  state: text('state', { enum: ['staging', 'committed', 'aborted'] }).notNull(),
  createdAt: integer('created_at').notNull(),
  /** Set once the merge is committed. */
  sourceTag: integer('source_tag'),
})

/** Tags of merged spaces, and the space that their ids lead to once the merge that brought them is carried through. */
export const spaceTags = sqliteTable('space_tags', {
  tag: integer('tag').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  spaceId: text('space_id').notNull(),
  /** The last merge that they went along with; its row is gone once it is carried through. */
  mergeId: text('merge_id'),
})

export type SpaceRow = typeof spaces.$inferSelect
