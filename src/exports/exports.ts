import { and, eq, gt } from 'drizzle-orm'
import * as z from 'zod'
import { DAY_MS, EXPORTS, SECOND_MS } from '../config/limits'
import type { UserContext } from '../context'
import { findOwn, pickOwn } from '../db/own'
import { isGone, isTaken } from '../db/sql-errors'
import { EXPORT_STATES, type ExportRow, exports } from '../db/tables/exports'
import { conflict, notFound, rateLimited } from '../errors'
import { loadExport } from '../lazy'
import { readSealed } from '../platform/crypto/read-sealed'
import { exportPrefix } from '../platform/files'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { isoOf } from '../time'
import { UserFields } from '../users/user-fields'

export const ExportOut = z.object({
  id: z.string(),
  status: z.enum(EXPORT_STATES),
  /** Why it failed. */
  error: z.enum(['too_large', 'failed']).nullable(),
  /** Of the archive, so far. */
  size_bytes: z.number().int(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  /** When the archive is deleted. */
  expires_at: z.string(),
})

/**
 * Begins to collect all that the caller has, in the background; while one is being made it is that one.
 * @throws rateLimited for more than a few a day.
 */
export async function startExport(ctx: UserContext): Promise<ExportRow> {
  const running = await findExport(ctx, eq(exports.status, 'running'))
  if (running) return running
  const since = ctx.now - DAY_MS
  const made = await pickOwn(
    ctx.db,
    exports,
    ctx.tenant.id,
    { at: exports.createdAt },
    eq(exports.userId, ctx.user.id),
    gt(exports.createdAt, since),
  ).orderBy(exports.createdAt)
  const [oldest] = made
  if (oldest && made.length >= EXPORTS.perDay)
    throw rateLimited(Math.ceil((oldest.at - since) / SECOND_MS))
  const row: ExportRow = {
    id: newId(ctx.now),
    tenantId: ctx.tenant.id,
    userId: ctx.user.id,
    status: 'running',
    error: null,
    at: null,
    parts: [],
    files: 0,
    sizeBytes: 0,
    toldAt: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    finishedAt: null,
    expiresAt: ctx.now + EXPORTS.keptMs,
  }
  try {
    await ctx.db.insert(exports).values(row)
  } catch (error) {
    if (isGone(error)) throw notFound('User')
    const other = isTaken(error, 'exports.user_id')
      ? await findExport(ctx, eq(exports.status, 'running'))
      : undefined
    if (!other) throw error
    return other
  }
  await sendJobs(ctx.env, [exportJob(row)])
  return row
}

export const exportJob = ({ tenantId, id }: Pick<ExportRow, 'tenantId' | 'id'>) =>
  ({ type: 'user.export', tenantId, exportId: id }) as const

/** @throws notFound for one that is another's, or is no longer kept. */
export async function getExport(ctx: UserContext, id: string): Promise<ExportRow> {
  const row = await findExport(ctx, eq(exports.id, id))
  if (!row) throw notFound('Export')
  return row
}

/** The archive, opened piece by piece as it is sent. @throws notFound; conflict for one that is not ready. */
export async function readExport(
  ctx: UserContext,
  id: string,
): Promise<{ name: string; body: ReadableStream<Uint8Array> }> {
  const row = await getExport(ctx, id)
  if (row.status !== 'ready') throw conflict('The export is not ready', 'export_not_ready')
  const [fields, { joinParts }] = await Promise.all([
    UserFields.load(ctx, ctx.tenant, ctx.user.id),
    loadExport(),
  ])
  const read = async (n: number) => {
    const part = await readPart(ctx.env.FILES, fields, row, row.parts[n] ?? '')
    if (part === null) throw new Error(`Part ${n} of export ${row.id} cannot be read`)
    return part
  }
  const first = await read(0).catch(() => null)
  if (first === null) throw notFound('Export')
  const body = joinParts(row.parts.length, async (n) => (n === 0 ? first : read(n)))
  return { name: `export-${isoOf(row.createdAt).slice(0, 10)}.zip`, body }
}

/** Null when it is gone or does not open. */
async function readPart(files: R2Bucket, fields: UserFields, row: ExportRow, name: string) {
  const object = await files.get(`${exportPrefix(row, row.id)}${name}`)
  if (!object) return null
  const sealed = new Uint8Array(await object.arrayBuffer())
  return readSealed([row.tenantId, row.userId, 'exports', 'part', `${row.id}.${name}`], () =>
    fields.openBlob('exports', 'part', sealed, `${row.id}.${name}`),
  )
}

function findExport(ctx: UserContext, which: ReturnType<typeof eq>) {
  const own = and(eq(exports.userId, ctx.user.id), gt(exports.expiresAt, ctx.now))
  return findOwn(ctx.db, exports, ctx.tenant.id, own, which)
}

export const presentExport = (row: ExportRow) => ({
  id: row.id,
  status: row.status,
  error: row.error,
  size_bytes: row.sizeBytes,
  created_at: isoOf(row.createdAt),
  finished_at: row.finishedAt === null ? null : isoOf(row.finishedAt),
  expires_at: isoOf(row.expiresAt),
})
