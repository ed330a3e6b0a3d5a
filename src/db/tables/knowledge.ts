import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** How often what was fetched from addresses is asked again. */
export const REFRESH_RATES = ['off', 'daily', 'weekly'] as const

export const knowledgeBases = sqliteTable('knowledge_bases', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  instructions: text('instructions').notNull().default(''),
  embeddingModel: text('embedding_model').notNull(),
  downloads: integer('downloads', { mode: 'boolean' }).notNull().default(false),
  rerank: integer('rerank', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  refresh: text('refresh', { enum: REFRESH_RATES }).notNull().default('off'),
  /** The last first. */
  formerNames: text('former_names', { mode: 'json' }).$type<string[]>().notNull().default([]),
})

/** Of a document's vectors: none made, some of them, all. */
export const VECTOR_STATES = ['none', 'pending', 'confirmed'] as const

export const DOCUMENT_STATES = ['queued', 'parsing', 'embedding', 'ready', 'failed'] as const

export const documents = sqliteTable('documents', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  baseId: text('base_id').notNull(),
  path: text('path').notNull(),
  name: text('name').notNull(),
  kind: text('kind').notNull(),
  mime: text('mime').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  version: text('version').notNull(),
  liveVersion: text('live_version'),
  status: text('status', { enum: DOCUMENT_STATES }).notNull(),
  progress: integer('progress').notNull().default(0),
  error: text('error'),
  attempts: integer('attempts').notNull().default(0),
  chunkCount: integer('chunk_count').notNull().default(0),
  sourceUrl: text('source_url'),
  progressedAt: integer('progressed_at').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  embedder: text('embedder'),
  embedded: integer('embedded').notNull().default(0),
  vectors: text('vectors', { enum: VECTOR_STATES }).notNull().default('none'),
  embedAfter: integer('embed_after').notNull().default(0),
  fetchedAt: integer('fetched_at'),
  fetchAfter: integer('fetch_after').notNull().default(0),
  etag: text('etag'),
  lastModified: text('last_modified'),
  missed: integer('missed').notNull().default(0),
  goneAt: integer('gone_at'),
  /** Goes up with each version that is uploaded in the place of another one. */
  edition: integer('edition').notNull().default(0),
})

export const SITE_IMPORT_STATES = ['running', 'done', 'failed'] as const

export const SITE_PAGE_STATES = ['queued', 'imported', 'unchanged', 'skipped', 'failed'] as const

export const siteImports = sqliteTable('site_imports', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  baseId: text('base_id').notNull(),
  url: text('url').notNull(),
  origin: text('origin').notNull(),
  pageLimit: integer('page_limit').notNull(),
  status: text('status', { enum: SITE_IMPORT_STATES }).notNull(),
  error: text('error'),
  robots: text('robots'),
  step: integer('step').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const sitePages = sqliteTable(
  'site_pages',
  {
    importId: text('import_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    n: integer('n').notNull(),
    kind: text('kind', { enum: ['page', 'sitemap'] }).notNull(),
    url: text('url').notNull(),
    status: text('status', { enum: SITE_PAGE_STATES }).notNull(),
    reason: text('reason'),
    documentId: text('document_id'),
  },
  (t) => [primaryKey({ columns: [t.importId, t.url] })],
)

export type KnowledgeBaseRow = typeof knowledgeBases.$inferSelect
export type SiteImportRow = typeof siteImports.$inferSelect
export type SitePageRow = typeof sitePages.$inferSelect
export type DocumentRow = typeof documents.$inferSelect
