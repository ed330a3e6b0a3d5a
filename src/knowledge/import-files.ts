import { eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isThere, untilCommitted } from '../audit/until-committed'
import { ARCHIVE_LIMITS, MIB } from '../config/limits'
import type { TenantContext } from '../context'
import { listOwn, pickOwn } from '../db/own'
import {
  type DocumentRow,
  documents,
  type KnowledgeBaseRow,
  knowledgeBases,
} from '../db/tables/knowledge'
import { invalid, notFound } from '../errors'
import type { UploadedFile } from '../http/form'
import { loadReaders } from '../lazy'
import { sha256, toHex } from '../platform/crypto/bytes'
import { deleteFiles, documentPath, storeFile } from '../platform/files'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { detectType } from '../platform/uploads/detect-type'
import { type DocumentKind, isDocumentKind } from '../platform/uploads/file-kinds'
import { fileName } from '../platform/uploads/file-name'
import { refuseFile } from '../platform/uploads/refuse-file'
import { NO_VECTORS } from './embed-version'
import { NOT_FETCHED, type Validators } from './fetch-page'
import { ingestionJobs } from './ingestion-jobs'

export interface IncomingFile {
  path: string
  bytes: Uint8Array<ArrayBuffer>
  sourceUrl?: string
  /** Its path where the first is that of another address. */
  otherPath?: string
  /** Where the file came from its address: when, and what the answer said of itself. */
  fetched?: { fetchedAt: number } & Validators
}

interface CheckedFile extends IncomingFile {
  kind: DocumentKind
  mime: string
  version: string
}

export interface Refused {
  path: string
  reason: string
}

export interface ImportOutcome {
  documents: DocumentRow[]
  skipped: Refused[]
  failed: Refused[]
}

/** Each holds one unpacked file of up to 20 MiB beside the archive. */
const PARALLEL_FILES = 3
const AUDITED_PATHS = 50

/**
 * Documents, and zips whose folders are walked. Same path and content: skipped `unchanged`; same path, new content: the new
 * one replaces the old when it is ready. Originals are stored and the documents queued before this returns. What cannot be
 * taken of several is reported as skipped.
 * @throws ApiError 415 for a single file of a type that is not read, 422 for a single archive that cannot be opened, and for
 * more than one archive may hold.
 */
export async function importUpload(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  uploads: readonly UploadedFile[],
): Promise<ImportOutcome> {
  const isAlone = uploads.length === 1
  const opened = await Promise.all(uploads.map((upload) => openUpload(upload, isAlone)))
  const paths = opened.flatMap((part) => part.paths)
  const skipped = opened.flatMap((part) => part.skipped)
  requireMeasure(paths.length + skipped.length, opened)
  return importFiles(ctx, base, paths, onceEach(opened.map((part) => part.files)), skipped)
}

/** Several archives of one upload are no more work than one may be. */
function requireMeasure(files: number, opened: readonly OpenedUpload[]): void {
  const { entries, totalBytes } = ARCHIVE_LIMITS
  if (files > entries) throw invalid(['body', 'file'], `at most ${entries} files in one upload`)
  if (opened.reduce((sum, { unpacked }) => sum + unpacked, 0) > totalBytes)
    throw invalid(['body', 'file'], `the archives unpack to more than ${totalBytes / MIB} MiB`)
}

interface OpenedUpload {
  paths: string[]
  /** Bytes that come out of an archive, as its headers declare them. */
  unpacked: number
  files: Iterable<IncomingFile | Refused>
  skipped: Refused[]
}

async function openUpload({ name, bytes }: UploadedFile, isAlone: boolean): Promise<OpenedUpload> {
  const type = detectType(bytes, name)
  const path = fileName(name)
  if (type.ok && type.kind === 'zip') {
    const { openArchive, walkArchive } = await loadReaders()
    const archive = openArchive(bytes)
    if (archive.ok) {
      const paths = archive.entries.map((entry) => entry.path)
      const unpacked = archive.entries.reduce((sum, { size }) => sum + size, 0)
      const files = walkArchive(bytes, archive.entries)
      return { paths, unpacked, files, skipped: archive.skipped }
    }
    if (isAlone) throw invalid(['body', 'file'], archive.reason)
    return { paths: [], unpacked: 0, files: [], skipped: [{ path, reason: archive.reason }] }
  }
  if (isAlone && !(type.ok && isDocumentKind(type.kind))) throw refuseFile(type)
  return { paths: [path], unpacked: 0, files: [{ path, bytes }], skipped: [] }
}

/** The first file of a path is the document; another one of the same upload is reported. */
function* onceEach(parts: Iterable<IncomingFile | Refused>[]): Generator<IncomingFile | Refused> {
  const seen = new Set<string>()
  for (const part of parts) {
    for (const file of part) {
      const { path } = file
      if (!('bytes' in file)) yield file
      else if (seen.has(path)) yield { path, reason: 'Another file of this upload has this path.' }
      else {
        seen.add(path)
        yield file
      }
    }
  }
}

/**
 * Checks, stores and queues files that came in any way. `files` is taken one by one, so that a large archive is never
 * unpacked whole; what it reports as unreadable is skipped.
 */
export async function importFiles(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  paths: readonly string[],
  files: Iterable<IncomingFile | Refused>,
  skippedBefore: Refused[] = [],
): Promise<ImportOutcome> {
  const known = await findByPaths(ctx, base, paths)
  const outcome: ImportOutcome = { documents: [], skipped: [...skippedBefore], failed: [] }
  const rest = files[Symbol.iterator]()
  const work = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      const file = next.value
      if ('bytes' in file) await takeFile(ctx, base, file, known, outcome)
      else outcome.skipped.push(file)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_FILES }, work))
  if (outcome.documents.length > 0) await record(ctx, base, outcome.documents)
  return outcome
}

async function takeFile(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  file: IncomingFile,
  byPath: ReadonlyMap<string, DocumentRow>,
  outcome: ImportOutcome,
): Promise<void> {
  const { bytes } = file
  const version = toHex(await sha256(bytes))
  const first = byPath.get(file.path)
  // Of two addresses, `/a` and `/a.html`, that give the same one is enough.
  const isTaken = first !== undefined && first.version !== version && isOfAnother(first, file)
  const path = (isTaken ? file.otherPath : undefined) ?? file.path
  const known = byPath.get(path)
  const type = detectType(bytes, path)
  if (!type.ok) return void outcome.skipped.push({ path, reason: type.reason })
  if (!isDocumentKind(type.kind)) {
    const reason = `Files of type ${type.kind} hold no text to search.`
    return void outcome.skipped.push({ path, reason })
  }
  if (known !== undefined && known.version === version && known.status !== 'failed') {
    return void outcome.skipped.push({ path, reason: 'unchanged' })
  }
  const checked = { ...file, path, kind: type.kind, mime: type.mime, version }
  const row = rowFor(ctx, base, checked, known)
  try {
    await storeFile(ctx.env.FILES, documentPath(row), bytes)
    outcome.documents.push(row)
  } catch (error) {
    ctx.log.error('original_not_stored', error, { document_id: row.id })
    const reason = 'The file could not be stored; upload it again.'
    outcome.failed.push({ path, reason })
  }
}

/** An address as paths are made of it: the same with and without a slash at its end. */
export const addressOf = ({ host, pathname, search }: URL): string =>
  `${host}${pathname}${search}`.replace(/\/$/, '')

/** Whether a document was fetched from another address than a file. */
function isOfAnother({ sourceUrl: theirs }: DocumentRow, { sourceUrl }: IncomingFile): boolean {
  if (theirs === null || sourceUrl === undefined || !URL.canParse(theirs)) return false
  return addressOf(new URL(theirs)) !== addressOf(new URL(sourceUrl))
}

async function findByPaths(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  paths: readonly string[],
): Promise<Map<string, DocumentRow>> {
  if (paths.length === 0) return new Map()
  const rows = await listOwn(ctx.db, documents, ctx.tenant.id, [
    eq(documents.baseId, base.id),
    sql`${documents.path} IN (SELECT value FROM json_each(${JSON.stringify(paths)}))`,
  ])
  return new Map(rows.map((row) => [row.path, row]))
}

function rowFor(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  file: CheckedFile,
  known: DocumentRow | undefined,
): DocumentRow {
  return {
    // What is searched stays, with its vectors, until the new text is ready.
    ...(known ?? NO_VECTORS),
    id: known?.id ?? newId(ctx.now),
    tenantId: ctx.tenant.id,
    baseId: base.id,
    path: file.path,
    name: file.path.split('/').at(-1) ?? file.path,
    kind: file.kind,
    mime: file.mime,
    sizeBytes: file.bytes.length,
    version: file.version,
    edition: known?.edition ?? 0,
    liveVersion: known?.liveVersion ?? null,
    status: 'queued',
    progress: 0,
    error: null,
    attempts: 0,
    chunkCount: known?.chunkCount ?? 0,
    sourceUrl: file.sourceUrl ?? known?.sourceUrl ?? null,
    progressedAt: ctx.now,
    createdAt: known?.createdAt ?? ctx.now,
    updatedAt: ctx.now,
    ...NOT_FETCHED,
    ...file.fetched,
  }
}

/**
 * One statement whatever the number of files. Who uploads a new path second takes over the first one's document, and only
 * then is it queued: a job finds its document and its file.
 */
async function record(
  ctx: TenantContext,
  base: KnowledgeBaseRow,
  rows: DocumentRow[],
): Promise<void> {
  let isRace = false
  await untilCommitted(`documents ${base.id}`, async () => {
    if (isRace) await takeOver(ctx, base, rows)
    isRace = true
    const recorded = await commitChange(ctx, ctx.tenant.id, [upsert(ctx, base, rows)], {
      action: 'import',
      entity: 'document',
      entityId: rows.length === 1 ? (rows[0]?.id ?? null) : base.id,
      entityName: rows.length === 1 ? (rows[0]?.path ?? null) : base.name,
      before: null,
      after: {
        knowledge_base: base.name,
        documents: rows.length,
        paths: rows.slice(0, AUDITED_PATHS).map((row) => row.path),
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
  return sql`EXISTS (SELECT 1 FROM json_each(${ours}) AS ours JOIN ${documents} AS d
    ON d.base_id = ${base.id} AND d.path = ours.value ->> 'path' WHERE d.id <> ours.value ->> 'id')`
}

/** Gives rows whose path is known by now the id that it has, and moves their files there. */
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

function upsert(ctx: TenantContext, base: KnowledgeBaseRow, rows: DocumentRow[]) {
  const field = (name: keyof DocumentRow) => sql.raw(`value ->> '${name}'`)
  const excluded = (column: string) => sql.raw(`excluded.${column}`)
  return ctx.db
    .insert(documents)
    .select(sql`
      SELECT ${field('id')}, ${ctx.tenant.id}, ${base.id}, ${field('path')}, ${field('name')}, ${field('kind')}, ${field('mime')}, ${field('sizeBytes')},
        ${field('version')}, NULL, 'queued', 0, NULL, 0, 0, ${field('sourceUrl')}, ${ctx.now}, ${ctx.now}, ${ctx.now},
        NULL, 0, 'none', 0, ${field('fetchedAt')}, 0, ${field('etag')}, ${field('lastModified')}, 0, NULL, 0
      FROM json_each(${JSON.stringify(rows)}) WHERE true`)
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
