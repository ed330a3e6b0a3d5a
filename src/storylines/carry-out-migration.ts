import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { commitChange } from '../audit/commit-change'
import { STORYLINES } from '../config/limits'
import type { OperatorContext, TenantContext } from '../context'
import type { Db } from '../db/client'
import { selectOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import {
  type EnrollmentRow,
  type MigrationRow,
  type StorylineRow,
  storylineEnrollments,
  storylineMigrations,
} from '../db/tables/storylines'
import { conflict } from '../errors'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import type { MigrationOrder } from './migrate'
import { whoIsMoved } from './migration-order'
import { takeReport } from './take-report'

/** What came of an order so far. */
export interface Moved {
  changed: number
  /** Whom it changed. */
  ids: string[]
  slotsDropped: number
  skipped: { id: string; reason: string }[]
}

/** A few people, before the answer; what is kept of the order is what can be taken back. */
export async function moveNow(
  ctx: TenantContext,
  storyline: StorylineRow,
  order: MigrationOrder,
  rows: readonly EnrollmentRow[],
  more: readonly BatchItem<'sqlite'>[] = [],
) {
  const moved = await moveAll(ctx.env, rows, order)
  const matched = rows.length
  const row: MigrationRow = {
    ...newMigration(ctx, storyline, order, matched),
    status: 'done',
    changed: moved.changed,
    slotsDropped: moved.slotsDropped,
    skipped: moved.skipped,
  }
  const statements = [
    ctx.db.insert(storylineMigrations).values(row),
    ...noteMoved(ctx.db, row, moved),
    ...more,
  ]
  await commitChange(ctx, ctx.tenant.id, statements, {
    ...entryOf(storyline),
    before: null,
    after: { ...order, matched, ...shortOf(moved) },
  })
  return { changed: moved.changed, skipped: moved.skipped, job_id: row.id }
}

/** Undoing finds them by this. */
function noteMoved(db: Db, { id, tenantId }: MigrationRow, { ids }: Moved) {
  if (ids.length === 0) return []
  const own = and(
    eq(storylineEnrollments.tenantId, tenantId),
    inArray(storylineEnrollments.id, ids),
  )
  return [db.update(storylineEnrollments).set({ movedBy: id }).where(own)]
}

const entryOf = ({ id, key }: Pick<StorylineRow, 'id' | 'key'>) => ({
  action: 'update' as const,
  entity: 'storyline_enrollments',
  entityId: id,
  entityName: key,
})

const shortOf = ({
  changed,
  slotsDropped,
  skipped,
}: Pick<Moved, 'changed' | 'slotsDropped' | 'skipped'>) => ({
  changed,
  slots_dropped: slotsDropped,
  skipped: skipped.length,
})

/** Each in its user's object; what one of them did with the order already, it does not do again. */
async function moveAll(
  env: Env,
  rows: readonly EnrollmentRow[],
  order: MigrationOrder,
): Promise<Moved> {
  const moved: Moved = { changed: 0, ids: [], slotsDropped: 0, skipped: [] }
  await Promise.all(
    rows.map(async (row) => {
      const { tenantId, userId, spaceId, id } = row
      const address = { tenantId, userId, spaceId }
      const { outcome, owed } = await workIn(env, address, 'enrollments', 'migrate', id, order)
      for (const report of owed) await takeReport(env.DB, report)
      if (!outcome.changed) moved.skipped.push({ id, reason: outcome.reason })
      else {
        moved.changed += 1
        moved.ids.push(id)
        moved.slotsDropped += outcome.droppedSlots.length
      }
    }),
  )
  return moved
}

const newMigration = (
  ctx: TenantContext,
  storyline: StorylineRow,
  order: MigrationOrder,
  matched: number,
): MigrationRow => ({
  id: order.id,
  tenantId: ctx.tenant.id,
  storylineId: storyline.id,
  wanted: order,
  status: 'running',
  at: '',
  matched,
  changed: 0,
  slotsDropped: 0,
  skipped: [],
  createdAt: ctx.now,
  updatedAt: ctx.now,
})

export async function begin(
  ctx: TenantContext,
  storyline: StorylineRow,
  order: MigrationOrder,
  matched: number,
  more: readonly BatchItem<'sqlite'>[] = [],
) {
  const row = newMigration(ctx, storyline, order, matched)
  const statements = [ctx.db.insert(storylineMigrations).values(row), ...more]
  try {
    await commitChange(ctx, ctx.tenant.id, statements, {
      ...entryOf(storyline),
      before: null,
      after: { ...order, matched, job_id: row.id },
    })
  } catch (error) {
    if (isTaken(error, 'storyline_migrations.storyline_id'))
      throw conflict('People of this storyline are being moved already', 'migration_running')
    throw error
  }
  await sendJobs(ctx.env, [
    { type: 'storyline.migrate', tenantId: ctx.tenant.id, migrationId: row.id },
  ])
  return { job_id: row.id }
}

/** The next people of an order; each step is counted once, by the place that it began at. @returns whether there are more. */
export async function migrateSome(
  env: Env,
  db: Db,
  row: MigrationRow,
  audit: OperatorContext,
): Promise<boolean> {
  const people = await selectOwn(
    db,
    storylineEnrollments,
    row.tenantId,
    ...whoIsMoved(row),
    gt(storylineEnrollments.id, row.at),
  )
    .orderBy(asc(storylineEnrollments.id))
    .limit(STORYLINES.movedPerStep)
  const moved = await moveAll(env, people, { ...row.wanted, id: row.id })
  const isLast = people.length < STORYLINES.movedPerStep
  const next = {
    at: people.at(-1)?.id ?? row.at,
    status: isLast ? ('done' as const) : row.status,
    changed: row.changed + moved.changed,
    slotsDropped: row.slotsDropped + moved.slotsDropped,
    skipped: [...row.skipped, ...moved.skipped].slice(0, STORYLINES.skippedShown),
    updatedAt: audit.now,
  }
  const own = and(
    eq(storylineMigrations.tenantId, row.tenantId),
    eq(storylineMigrations.id, row.id),
    eq(storylineMigrations.at, row.at),
    eq(storylineMigrations.status, 'running'),
  )
  const update = db.update(storylineMigrations).set(next).where(own)
  const noted = noteMoved(db, row, moved)
  if (!isLast) {
    await db.batch([update, ...noted])
    return true
  }
  await commitChange(audit, row.tenantId, [update, ...noted], {
    action: 'update',
    entity: 'storyline_enrollments',
    entityId: row.storylineId,
    entityName: null,
    before: null,
    after: { ...row.wanted, job_id: row.id, matched: row.matched, ...shortOf(next) },
  })
  return false
}
