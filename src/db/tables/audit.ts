import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const audit = sqliteTable(
  'audit',
  {
    tenantId: text('tenant_id').notNull(),
    seq: integer('seq').notNull(),
    id: text('id').notNull(),
    createdAt: integer('created_at').notNull(),
    actor: text('actor').notNull(),
    actorType: text('actor_type').notNull(),
    via: text('via').notNull(),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: text('entity_id'),
    entityName: text('entity_name'),
    before: text('before'),
    after: text('after'),
    requestId: text('request_id'),
    hash: text('hash').notNull(),
    digest: text('digest'),
    sealedAt: integer('sealed_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.seq] })],
)

export const auditAnchors = sqliteTable('audit_anchors', {
  tenantId: text('tenant_id').primaryKey(),
  seq: integer('seq').notNull(),
  hash: text('hash').notNull(),
})

export type AuditRow = typeof audit.$inferSelect
