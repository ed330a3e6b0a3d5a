import { and, asc, eq } from 'drizzle-orm'
import { MINUTE_MS, STORYLINES } from '../config/limits'
import type { TenantContext } from '../context'
import { countOwn, findOwn, selectOwn } from '../db/own'
import {
  type MigrationRow,
  type StorylineRow,
  storylineEnrollments,
  storylineMigrations,
} from '../db/tables/storylines'
import { conflict, gone, notFound } from '../errors'
import { newId } from '../platform/ids'
import { isoOf } from '../time'
import { begin, moveNow } from './carry-out-migration'
import { foresee } from './foresee-migration'
import type { MigrationOrder } from './migrate'
import { RUNNING, readOrder, standsAt, whoIsMoved } from './migration-order'
import type { MigrationIn } from './schema'
import { findLive, requireEnabled } from './storylines'

/**
 * Moves the people who are on the way: a few at once, many in the background, one order at a time.
 * @throws conflict without a live revision, or while an order is worked off; ApiError 422 for a node that is not there.
 */
export async function migratePeople(
  ctx: TenantContext,
  storyline: StorylineRow,
  input: MigrationIn,
  dryRun: boolean,
) {
  if (!dryRun) requireEnabled(ctx)
  const live = await findLive(ctx, storyline)
  if (!live) throw conflict('The storyline is not published', 'not_published')
  const order = await readOrder(ctx, storyline, live, input)
  const which = [eq(storylineEnrollments.storylineId, storyline.id), RUNNING, standsAt(order)]
  const matched = await countOwn(ctx.db, storylineEnrollments, ctx.tenant.id, ...which)
  const told = { action: order.action, matched, revision_id: order.revisionId }
  if (dryRun) return { ...told, ...(await foresee(ctx, which, order, live.graph)) }
  if (matched > STORYLINES.movedAtOnce) return begin(ctx, storyline, order, matched)
  const rows = await selectOwn(ctx.db, storylineEnrollments, ctx.tenant.id, ...which)
    .orderBy(asc(storylineEnrollments.id))
    .limit(STORYLINES.movedAtOnce)
  return { ...told, ...(await moveNow(ctx, storyline, order, rows)) }
}

/**
 * Takes an order back, for half an hour after it was done: whoever stands as it left them stands as before.
 * @throws notFound; conflict while an order is worked off, or when it was taken back; gone after that time.
 */
export async function undoMigration(ctx: TenantContext, storyline: StorylineRow, id: string) {
  requireEnabled(ctx)
  const row = await getMigration(ctx, storyline.id, id)
  if (row.status === 'running')
    throw conflict('People of this storyline are being moved already', 'migration_running')
  if (row.status === 'undone' || row.wanted.action === 'undo')
    throw conflict('This was taken back already', 'migration_undone')
  if (ctx.now > row.updatedAt + STORYLINES.undoMinutes * MINUTE_MS)
    throw gone('It is too late to take this back', 'undo_expired')
  const { revisionId } = row.wanted
  const order: MigrationOrder = {
    id: newId(ctx.now),
    action: 'undo',
    revisionId,
    fromNode: null,
    toNode: null,
    undoes: id,
  }
  const which = whoIsMoved({ storylineId: storyline.id, wanted: order })
  const rows = await selectOwn(ctx.db, storylineEnrollments, ctx.tenant.id, ...which)
    .orderBy(asc(storylineEnrollments.id))
    .limit(STORYLINES.movedAtOnce + 1)
  const undone = ctx.db
    .update(storylineMigrations)
    .set({ status: 'undone' })
    .where(and(eq(storylineMigrations.tenantId, ctx.tenant.id), eq(storylineMigrations.id, id)))
  if (rows.length > STORYLINES.movedAtOnce) {
    const matched = await countOwn(ctx.db, storylineEnrollments, ctx.tenant.id, ...which)
    return begin(ctx, storyline, order, matched, [undone])
  }
  const done = await moveNow(ctx, storyline, order, rows, [undone])
  return { action: order.action, matched: rows.length, revision_id: revisionId, ...done }
}

/** @throws notFound. */
export async function getMigration(
  { db, tenant }: TenantContext,
  storylineId: string,
  id: string,
): Promise<MigrationRow> {
  const which = [eq(storylineMigrations.storylineId, storylineId), eq(storylineMigrations.id, id)]
  const row = await findOwn(db, storylineMigrations, tenant.id, ...which)
  if (!row) throw notFound('Migration')
  return row
}

export const presentMigration = (row: MigrationRow) => ({
  job_id: row.id,
  status: row.status,
  action: row.wanted.action,
  revision_id: row.wanted.revisionId,
  matched: row.matched,
  changed: row.changed,
  skipped: row.skipped,
  created_at: isoOf(row.createdAt),
  updated_at: isoOf(row.updatedAt),
})
