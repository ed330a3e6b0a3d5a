import { and, eq, sql } from 'drizzle-orm'
import { HOUR_MS, INGEST } from '../config/limits'
import { inParts } from '../config/platform-limits'
import { type Db, openPrimary } from '../db/client'
import { listOwn } from '../db/own'
import { type DocumentRow, documents } from '../db/tables/knowledge'
import { embedMetered } from '../knowledge/embed-metered'
import { NO_VECTORS, nameEmbedder, readCeiling } from '../knowledge/embed-version'
import { aloneJob } from '../knowledge/ingestion-jobs'
import type { Vector } from '../knowledge/quantize'
import type { ReadChunks } from '../knowledge/read-late'
import { createLog } from '../log'
import { embedderName } from '../models/embedding'
import { sendJobs } from '../platform/queue'
import { knowledgeBase } from '../platform/stubs'
import { searchTitle } from '../text/search-title'
import { chunkOriginal } from './chunk-original'
import { dropGone } from './drop-gone'
import { dropOldOriginals, isUntouched } from './drop-originals'
import { fail, REFUSED } from './ingest-document'
import type { JobOf } from './job'
import { tellDocuments } from './tell-document'

const PARALLEL_READS = 6

/** A document that was read; `vectors` one a chunk, or null where there is no embedder or no quota. */
interface Read {
  row: DocumentRow
  text: Extract<ReadChunks, { ok: true }>
  vectors: Vector[] | null
}

/**
 * Reads small documents of one base together, in as many steps as one document takes; each ends as `ingestDocument` would
 * leave it. A document that was begun before, and all of them after a failure that may pass, go on as jobs of their own:
 * so one bad document stops no other, and none gets more attempts than alone.
 */
export async function ingestDocuments(env: Env, job: JobOf<'documents.ingest'>): Promise<void> {
  const db = openPrimary(env.DB)
  const there = await listThere(db, job)
  const rows = currentOf(job, there).filter((row) => row.status !== 'failed')
  const isDone = (row: DocumentRow) => row.status === 'ready' && row.liveVersion === row.version
  // Redelivered although these were done: the job may have died before the webhooks were told.
  await tellDocuments(env, job.tenantId, rows.filter(isDone), 'ready')
  // Of deleted ones an earlier attempt may have put chunks into the base, and died before it looked again.
  const ids = new Set(there.map(({ id }) => id))
  const gone = job.documents.map(({ id }) => id).filter((id) => !ids.has(id))
  await dropGone(env, db, job, gone)
  const waiting = rows.filter((row) => !isDone(row))
  await sendJobs(env, waiting.filter((row) => row.attempts > 0).map(aloneJob))
  const fresh = waiting.filter((row) => row.attempts === 0)
  if (fresh.length === 0) return
  try {
    await takeTogether(env, db, job, fresh)
  } catch (error) {
    createLog('jobs').error('documents_go_on_alone', error, { documents: fresh.length })
    await sendJobs(env, fresh.map(aloneJob))
  }
}

/** Reads, embeds and hands over documents that no attempt was made on yet. @throws when something that may pass failed. */
async function takeTogether(
  env: Env,
  db: Db,
  job: JobOf<'documents.ingest'>,
  fresh: DocumentRow[],
): Promise<void> {
  const { tenantId, baseId } = job
  const begun = fresh.map(({ id, version }) => ({ id, version }))
  await update(db, tenantId, begun, {
    attempts: sql`1`,
    status: sql`'parsing'`,
    progress: sql`0`,
  })
  const read: Read[] = []
  for (const part of inParts(fresh, PARALLEL_READS)) {
    const texts = await Promise.all(part.map((row) => chunkOriginal(env, row)))
    for (const [i, row] of part.entries()) {
      const text = texts[i]
      if (text?.ok) read.push({ row, text, vectors: null })
      else if (text) await fail({ env, db, row: { ...row, attempts: 1 } }, text.reason)
    }
  }
  const embedder = embedderName(env)
  if (embedder !== null) await embedAll(env, db, job, read, embedder)
  const taken = await commit(env, db, job, read, embedder)
  const now = Date.now()
  const done = taken.map(({ row, text, vectors }) => ({
    id: row.id,
    version: row.version,
    chunks: text.chunks.length,
    embedded: vectors?.length ?? 0,
    vectors: vectors ? 'confirmed' : NO_VECTORS.vectors,
    // Without vectors for lack of quota: tried again in an hour.
    embedAfter: embedder === null ? 0 : now + (vectors ? INGEST.stallMs : HOUR_MS),
  }))
  const value = (name: keyof (typeof done)[number]) => sql.raw(`json_each.value ->> '${name}'`)
  const written = await update(
    db,
    tenantId,
    done,
    {
      attempts: sql`1`,
      status: sql`'ready'`,
      progress: sql`100`,
      error: sql`NULL`,
      liveVersion: value('version'),
      chunkCount: value('chunks'),
      embedder: sql`${embedder}`,
      embedded: value('embedded'),
      vectors: value('vectors'),
      embedAfter: value('embedAfter'),
    },
    now,
  )
  if (embedder !== null && taken.some(({ vectors }) => vectors)) {
    await nameEmbedder(db, baseId, embedder)
  }
  // Deleted between the base's step and this one.
  const missing = taken.map(({ row }) => row.id).filter((id) => !written.has(id))
  await dropGone(env, db, job, missing)
  const ready = taken.filter(({ row }) => written.has(row.id))
  await tellDocuments(
    env,
    tenantId,
    ready.map(({ row }) => ({ ...row, updatedAt: now })),
    'ready',
  )
  for (const { row } of ready)
    if (!isUntouched(row)) await dropOldOriginals(env, row, row.liveVersion)
}

/** Gives each its vectors, as far as there is quota. */
async function embedAll(
  env: Env,
  db: Db,
  { tenantId }: JobOf<'documents.ingest'>,
  read: Read[],
  embedder: string,
): Promise<void> {
  const ceiling = await readCeiling(db, tenantId)
  const passages = read.flatMap((one) => one.text.chunks.map(({ text }) => ({ one, text })))
  for (const [round, part] of inParts(passages, INGEST.embedBatch).entries()) {
    const [first] = part
    if (!first) return
    const { id, version } = first.one.row
    const embedded = await embedMetered(
      env,
      tenantId,
      `${id}:${version}:${embedder}:together:${round}`,
      part.map(({ text }) => text),
      ceiling,
    )
    if (!embedded.ok) {
      createLog('embed').warn('embedding_skipped', { documents: read.length, ...embedded })
      break
    }
    for (const [i, { one }] of part.entries()) {
      one.vectors ??= []
      one.vectors.push(new Float32Array(embedded.vectors[i] ?? []))
    }
  }
  for (const one of read) {
    const whole = one.text.chunks.length
    if (whole === 0) one.vectors = []
    else if (one.vectors?.length !== whole) one.vectors = null
  }
}

/** @returns what the base took: all that is still wanted and that it has room for. */
async function commit(
  env: Env,
  db: Db,
  job: JobOf<'documents.ingest'>,
  read: Read[],
  embedder: string | null,
): Promise<Read[]> {
  const { tenantId, baseId } = job
  // Some may have been deleted or replaced while they were read.
  const current = new Set(currentOf(job, await listThere(db, job)).map((row) => row.id))
  const wanted = read.filter(({ row }) => current.has(row.id))
  if (wanted.length === 0) return []
  const outcomes = await knowledgeBase(env, tenantId, baseId).takeDocuments({
    tenantId,
    baseId,
    embedder,
    documents: wanted.map(({ row, text, vectors }) => ({
      documentId: row.id,
      version: row.version,
      edition: row.edition,
      name: row.name,
      title: text.title,
      searchedTitle: searchTitle(text.title, row.name),
      url: row.sourceUrl,
      chunks: text.chunks,
      vectors,
    })),
  })
  const taken: Read[] = []
  for (const [i, one] of wanted.entries()) {
    const refused = outcomes[i]
    if (!refused) taken.push(one)
    else if (refused !== 'superseded')
      await fail({ env, db, row: { ...one.row, attempts: 1 } }, REFUSED[refused])
  }
  return taken
}

/** The job's documents that are there. */
const listThere = (db: Db, { tenantId, baseId, documents: asked }: JobOf<'documents.ingest'>) =>
  listOwn(db, documents, tenantId, [
    eq(documents.baseId, baseId),
    sql`${documents.id} IN (SELECT value ->> 'id' FROM json_each(${JSON.stringify(asked)}))`,
  ])

/** Those of them that have no other version by now. */
function currentOf(
  { documents: asked }: JobOf<'documents.ingest'>,
  rows: DocumentRow[],
): DocumentRow[] {
  const versions = new Map(asked.map(({ id, version }) => [id, version]))
  return rows.filter((row) => versions.get(row.id) === row.version)
}

/** Writes to each row its own values, in one statement. @returns ids of those written: a row that has another version by now is left alone. */
async function update(
  db: Db,
  tenantId: string,
  rows: readonly { id: string; version: string }[],
  set: Partial<Record<keyof DocumentRow, ReturnType<typeof sql>>>,
  now = Date.now(),
): Promise<Set<string>> {
  if (rows.length === 0) return new Set()
  const written = await db
    .update(documents)
    .set({ ...set, progressedAt: now, updatedAt: now } as never)
    .from(sql`json_each(${JSON.stringify(rows)})`)
    .where(
      and(
        eq(documents.tenantId, tenantId),
        sql`${documents.id} = json_each.value ->> 'id'`,
        sql`${documents.version} = json_each.value ->> 'version'`,
      ),
    )
    .returning({ id: documents.id })
  return new Set(written.map(({ id }) => id))
}
