import { ARCHIVE_LIMITS, MIB } from '../config/limits'
import type { TenantContext } from '../context'
import type { DocumentRow, KnowledgeBaseRow } from '../db/tables/knowledge'
import { invalid } from '../errors'
import type { UploadedFile } from '../http/form'
import { loadReaders } from '../lazy'
import { sha256, toHex } from '../platform/crypto/bytes'
import { documentPath, storeFile } from '../platform/files'
import { newId } from '../platform/ids'
import { detectType } from '../platform/uploads/detect-type'
import { type DocumentKind, isDocumentKind } from '../platform/uploads/file-kinds'
import { fileName } from '../platform/uploads/file-name'
import { refuseFile } from '../platform/uploads/refuse-file'
import { NO_VECTORS } from './embed-version'
import { NOT_FETCHED, type Validators } from './fetch-page'
import { findByPaths, recordDocuments } from './record-documents'

export interface IncomingFile {
  path: string
  bytes: Uint8Array<ArrayBuffer>
  sourceUrl?: string
  /** The path that it takes where the document at `path` was fetched from another address. */
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

/** Files in work at once: each is up to 20 MiB in memory, beside the archive that it comes from. */
const PARALLEL_FILES = 3

/**
 * Takes documents, and zips with all that their folders hold. The same path with the same content is skipped as
 * `unchanged`; with new content it replaces the old text once it is ready. When this returns the originals are stored and
 * the documents queued. Of several files, those that cannot be taken are reported as skipped.
 * @throws ApiError 415 for a single file of a type that is not read; 422 for a single archive that cannot be opened, and for
 * more files or bytes in all than one archive may hold (`ARCHIVE_LIMITS`).
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

/** All files of one upload together keep to the limits of one archive. */
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

/** Of several files of one upload with the same path the first is taken, the others are reported. */
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
  if (outcome.documents.length > 0) await recordDocuments(ctx, base, outcome.documents)
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

/** An address without its scheme, the same with and without a slash at its end: what paths are made of. */
export const addressOf = ({ host, pathname, search }: URL): string =>
  `${host}${pathname}${search}`.replace(/\/$/, '')

/** Whether document and file both have an address, and not the same one. */
function isOfAnother({ sourceUrl: theirs }: DocumentRow, { sourceUrl }: IncomingFile): boolean {
  if (theirs === null || sourceUrl === undefined || !URL.canParse(theirs)) return false
  return addressOf(new URL(theirs)) !== addressOf(new URL(sourceUrl))
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
