import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ENROLLMENT_STATES, STORYLINE_COUNTS, STORYLINE_STATES } from '../../config/names'
import type { Graph } from '../../storylines/graph'
import type { MigrationOrder } from '../../storylines/migrate'
import type { Behaviour } from '../../storylines/records'

export const storylines = sqliteTable('storylines', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  agentName: text('agent_name').notNull(),
  key: text('key').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  graph: text('graph', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  profileSchema: text('profile_schema', { mode: 'json' })
    .$type<Record<string, unknown>>()
    .notNull(),
  status: text('status', { enum: STORYLINE_STATES }).notNull(),
  publishedRevisionId: text('published_revision_id'),
  isDefault: integer('is_default', { mode: 'boolean' }).notNull(),
  userVisibility: text('user_visibility').notNull(),
  entry: text('entry').notNull(),
  displayName: text('display_name').notNull(),
  allowExit: integer('allow_exit', { mode: 'boolean' }).notNull(),
  showProfile: integer('show_profile', { mode: 'boolean' }).notNull(),
  onComplete: text('on_complete').notNull(),
  allowAgentEnroll: integer('allow_agent_enroll', { mode: 'boolean' }).notNull(),
  enrollTrigger: text('enroll_trigger').notNull(),
  concurrency: text('concurrency').notNull(),
  nextStorylineId: text('next_storyline_id'),
  position: integer('position').notNull(),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const storylineRevisions = sqliteTable('storyline_revisions', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  storylineId: text('storyline_id').notNull(),
  version: integer('version').notNull(),
  actor: text('actor'),
  graph: text('graph', { mode: 'json' }).$type<Graph>().notNull(),
  profileSchema: text('profile_schema', { mode: 'json' })
    .$type<Record<string, unknown>>()
    .notNull(),
  behaviour: text('behaviour', { mode: 'json' }).$type<Behaviour>().notNull(),
  createdAt: integer('created_at').notNull(),
})

export const storylineEnrollments = sqliteTable('storyline_enrollments', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  storylineId: text('storyline_id').notNull(),
  revisionId: text('revision_id').notNull(),
  userId: text('user_id').notNull(),
  spaceId: text('space_id').notNull(),
  nodeKey: text('node_key').notNull(),
  status: text('status', { enum: ENROLLMENT_STATES }).notNull(),
  reports: integer('reports').notNull(),
  enteredNodeAt: integer('entered_node_at').notNull(),
  lastTurnAt: integer('last_turn_at').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  movedBy: text('moved_by'),
})

export const storylineCounts = sqliteTable(
  'storyline_counts',
  {
    tenantId: text('tenant_id').notNull(),
    storylineId: text('storyline_id').notNull(),
    nodeKey: text('node_key').notNull(),
    kind: text('kind', { enum: STORYLINE_COUNTS }).notNull(),
    name: text('name').notNull(),
    n: integer('n').notNull(),
  },
  (t) => [primaryKey({ columns: [t.storylineId, t.nodeKey, t.kind, t.name] })],
)

export const storylineScenarios = sqliteTable('storyline_scenarios', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  storylineId: text('storyline_id').notNull(),
  name: text('name').notNull(),
  body: text('body').notNull(),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

const MIGRATION_STATES = ['running', 'done', 'undone'] as const

export const storylineMigrations = sqliteTable('storyline_migrations', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  storylineId: text('storyline_id').notNull(),
  wanted: text('wanted', { mode: 'json' }).$type<MigrationOrder>().notNull(),
  status: text('status', { enum: MIGRATION_STATES }).notNull(),
  at: text('at').notNull(),
  matched: integer('matched').notNull(),
  changed: integer('changed').notNull(),
  slotsDropped: integer('slots_dropped').notNull(),
  skipped: text('skipped', { mode: 'json' }).$type<{ id: string; reason: string }[]>().notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export type StorylineRow = typeof storylines.$inferSelect
export type StorylineRevisionRow = typeof storylineRevisions.$inferSelect
export type ScenarioRow = typeof storylineScenarios.$inferSelect
export type MigrationRow = typeof storylineMigrations.$inferSelect
export type EnrollmentRow = typeof storylineEnrollments.$inferSelect
