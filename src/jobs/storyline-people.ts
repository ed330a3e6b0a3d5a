import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm'
import { STORYLINES } from '../config/limits'
import { openPrimary } from '../db/client'
import { findOwn, pickOwn, selectOwn } from '../db/own'
import { storylineEnrollments, storylineMigrations, storylines } from '../db/tables/storylines'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import { createSystemContext } from '../platform/system-actor'
import { migrateSome } from '../storylines/carry-out-migration'
import type { JobOf } from './job'

const BATCH = 50

/**
 * The next people of an order, some steps of them: a queue holds a message back for as long as many are moved in. Then the
 * same again until it is done. Safe to run twice.
 */
export async function migrateStoryline(env: Env, job: JobOf<'storyline.migrate'>): Promise<void> {
  const db = openPrimary(env.DB)
  const own = eq(storylineMigrations.id, job.migrationId)
  for (let step = 0; step < STORYLINES.stepsPerJob; step++) {
    const row = await findOwn(db, storylineMigrations, job.tenantId, own)
    if (row?.status !== 'running') return
    const context = createSystemContext(env, 'migrate-storyline')
    if (!(await migrateSome(env, db, row, context))) return
  }
  await sendJobs(env, [job])
}

/** Takes up orders that stand still: the job of their next people was lost with its worker. */
export async function watchMigrations(env: Env, now: number): Promise<void> {
  const { id, tenantId, status, updatedAt } = storylineMigrations
  const still = await openPrimary(env.DB)
    .update(storylineMigrations)
    .set({ updatedAt: now })
    .where(and(eq(status, 'running'), lt(updatedAt, now - STORYLINES.stallMs)))
    .returning({ migrationId: id, tenantId })
  await sendJobs(
    env,
    still.map((row) => ({ type: 'storyline.migrate', ...row })),
  )
}

/** A storyline is gone: first what people's objects hold of it, then where they stood. Safe to run twice. */
export async function clearStoryline(env: Env, job: JobOf<'storyline.clear'>): Promise<void> {
  const db = openPrimary(env.DB)
  const { tenantId, storylineId } = job
  if (await findOwn(db, storylines, tenantId, eq(storylines.id, storylineId))) return
  const rows = await selectOwn(
    db,
    storylineEnrollments,
    tenantId,
    eq(storylineEnrollments.storylineId, storylineId),
  )
    .orderBy(asc(storylineEnrollments.id))
    .limit(BATCH)
  await Promise.all(
    rows.map(async ({ id, userId, spaceId }) => {
      await workIn(env, { tenantId, userId, spaceId }, 'enrollments', 'clear', storylineId)
      await db
        .delete(storylineEnrollments)
        .where(and(eq(storylineEnrollments.tenantId, tenantId), eq(storylineEnrollments.id, id)))
    }),
  )
  if (rows.length === BATCH) await sendJobs(env, [job])
}

/** People on the way, whose clocks rested while nothing was published, go on: a page of them a message. Safe to run twice. */
export async function wakeStoryline(env: Env, job: JobOf<'storyline.wake'>): Promise<void> {
  const db = openPrimary(env.DB)
  const { tenantId, of, after } = job
  const { id, storylineId, status } = storylineEnrollments
  const rows = await selectOwn(
    db,
    storylineEnrollments,
    tenantId,
    'storylineId' in of
      ? eq(storylineId, of.storylineId)
      : inArray(
          storylineId,
          pickOwn(
            db,
            storylines,
            tenantId,
            { id: storylines.id },
            eq(storylines.agentName, of.agentName),
          ),
        ),
    inArray(status, ['offered', 'active']),
    after === null ? undefined : gt(id, after),
  )
    .orderBy(asc(id))
    .limit(BATCH)
  await Promise.all(
    rows.map(({ userId, spaceId }) =>
      workIn(env, { tenantId, userId, spaceId }, 'enrollments', 'wake'),
    ),
  )
  const last = rows.at(-1)
  if (last && rows.length === BATCH) await sendJobs(env, [{ ...job, after: last.id }])
}
