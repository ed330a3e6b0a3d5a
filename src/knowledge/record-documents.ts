import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isThere, untilCommitted } from '../audit/until-committed'
import type { TenantContext } from '../context'
import { listOwn, pickOwn } from '../db/own'
import {
  type DocumentRow,
  documents,
  type KnowledgeBaseRow,
  knowledgeBases,
} from '../db/tables/knowledge'
import { notFound } from '../errors'
import { deleteFiles, documentPath, storeFile } from '../platform/files'
import { sendJobs } from '../platform/queue'
import { ingestionJobs } from './ingestion-jobs'
import { auditPath } from './present-knowledge'

const AUDITED_PATHS = 50

/** The base's documents at these paths: path by path, not among all that the base has. */
export async function findByPaths(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  paths: readonly string[],
): Promise<Map<string, DocumentRow>> {
  if (paths.length === 0) return new Map()
  const rows = await listOwn(ctx.db, documents, ctx.tenant.id, [
    sql`${documents.id} IN (SELECT d.id FROM json_each(${JSON.stringify(paths)}) AS asked
      CROSS JOIN ${documents} AS d ON d.base_id = ${base.id} AND d.path = asked.value)`,
  ])
  return new Map(rows.map((row) => [row.path, row]))
}

/**
 * Writes the rows of an upload, in one statement however many they are, and then queues their ingestion: a job finds its
 * document and its file. Where another upload was the first to bring one of the paths meanwhile, that upload's document
 * gets the new version. @throws notFound when the base is gone.
 */
export async function recordDocuments(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  rows: DocumentRow[],
): Promise<void> {
  let isRepeated = false
  await untilCommitted(`documents ${base.id}`, async () => {
    if (isRepeated) await takeOver(ctx, base, rows)
    isRepeated = true
    const recorded = await commitChange(ctx, ctx.tenant.id, [upsert(ctx, base, rows)], {
      action: 'import',
      entity: 'document',
      entityId: rows.length === 1 ? (rows[0]?.id ?? null) : base.id,
      entityName: rows.length === 1 && rows[0] ? auditPath(rows[0]) : base.name,
      before: null,
      after: {
        knowledge_base: base.name,
        documents: rows.length,
        paths: rows.slice(0, AUDITED_PATHS).map(auditPath),
      },
      requires: sql`${isThere(knowledgeBases, base)} AND NOT ${isOtherwiseKnown(base, rows)}`,
    })
    if (recorded) return true
    const there = await pickOwn(
      ctx.db,
      knowledgeBases,
      ctx.tenant.id,
      { id: knowledgeBases.id },
      eq(knowledgeBases.id, base.id),
    )
      .limit(1)
      .get()
    if (!there) throw notFound('Knowledge base')
    return null
  })
  await sendJobs(ctx.env, ingestionJobs(rows))
}

/** The condition that one of these paths belongs to a document of another id. */
function isOtherwiseKnown(base: KnowledgeBaseRow, rows: DocumentRow[]) {
  const ours = JSON.stringify(rows.map(({ id, path }) => ({ id, path })))
  return sql`EXISTS (SELECT 1 FROM json_each(${ours}) AS ours CROSS JOIN ${documents} AS d
    ON d.base_id = ${base.id} AND d.path = ours.value ->> 'path' WHERE d.id <> ours.value ->> 'id')`
}

/** Gives each row whose path another upload has recorded by now that document's id, and moves its file to where that id has it. */
async function takeOver(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  rows: DocumentRow[],
): Promise<void> {
  const known = await findByPaths(
    ctx,
    base,
    rows.map((row) => row.path),
  )
  for (const row of rows) {
    const other = known.get(row.path)
    if (other === undefined || other.id === row.id) continue
    const from = documentPath(row)
    const { id, liveVersion, chunkCount, createdAt, embedder, vectors } = other
    Object.assign(row, { id, liveVersion, chunkCount, createdAt, embedder, vectors })
    const file = await ctx.env.FILES.get(from)
    if (file) await storeFile(ctx.env.FILES, documentPath(row), await file.arrayBuffer())
    await deleteFiles(ctx.env.FILES, [from])
  }
}

/** New paths become documents; those that are there get the new version, and keep what is searched until it is read. */
function upsert(ctx: TenantContext, base: KnowledgeBaseRow, rows: DocumentRow[]) {
  const excluded = (column: string) => sql.raw(`excluded.${column}`)
  return ctx.db
    .insert(documents)
    .select(
      sql`SELECT ${insertedValues(ctx, base)} FROM json_each(${JSON.stringify(rows)}) WHERE true`,
    )
    .onConflictDoUpdate({
      target: [documents.baseId, documents.path],
      set: {
        kind: excluded('kind'),
        mime: excluded('mime'),
        sizeBytes: excluded('size_bytes'),
        version: excluded('version'),
        // At least the time in milliseconds: a database that was restored does not fall behind what its bases hold.
        edition: sql`max(${documents.edition} + 1, ${ctx.now})`,
        status: 'queued',
        progress: 0,
        error: null,
        attempts: 0,
        sourceUrl: sql`coalesce(excluded.source_url, ${documents.sourceUrl})`,
        progressedAt: ctx.now,
        updatedAt: ctx.now,
        fetchedAt: excluded('fetched_at'),
        fetchAfter: 0,
        etag: excluded('etag'),
        lastModified: excluded('last_modified'),
        missed: 0,
        goneAt: null,
      },
    })
}

/** What a new row holds, in the order of the table's columns. What differs by row is read from its JSON. */
function insertedValues(ctx: TenantContext, base: KnowledgeBaseRow): SQL {
  const field = (name: keyof DocumentRow) => sql.raw(`value ->> '${name}'`)
  const values: Record<keyof DocumentRow, SQL> = {
    id: field('id'),
    tenantId: sql`${ctx.tenant.id}`,
    baseId: sql`${base.id}`,
    path: field('path'),
    name: field('name'),
    kind: field('kind'),
    mime: field('mime'),
    sizeBytes: field('sizeBytes'),
    version: field('version'),
    liveVersion: sql`NULL`,
    status: sql`'queued'`,
    progress: sql`0`,
    error: sql`NULL`,
    attempts: sql`0`,
    chunkCount: sql`0`,
    sourceUrl: field('sourceUrl'),
    progressedAt: sql`${ctx.now}`,
    createdAt: sql`${ctx.now}`,
    updatedAt: sql`${ctx.now}`,
    embedder: sql`NULL`,
    embedded: sql`0`,
    vectors: sql`'none'`,
    embedAfter: sql`0`,
    fetchedAt: field('fetchedAt'),
    fetchAfter: sql`0`,
    etag: field('etag'),
    lastModified: field('lastModified'),
    missed: sql`0`,
    goneAt: sql`NULL`,
    edition: sql`0`,
  }
  const columns = Object.keys(getTableColumns(documents)) as (keyof DocumentRow)[]
  return sql.join(
    columns.map((name) => values[name]),
    sql`, `,
  )
}
