import { and, asc, eq } from 'drizzle-orm'
import { openPrimary } from '../db/client'
import { findOwn, selectOwn } from '../db/own'
import { storylineEnrollments, storylineMigrations, storylines } from '../db/tables'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import { createSystemContext } from '../platform/system-actor'
import { migrateSome } from '../storylines/migrate-people'
import type { JobOf } from './job'

const BATCH = 50

/** The next people of an order, and the same again until it is done. Safe to run twice. */
export async function migrateStoryline(env: Env, job: JobOf<'storyline.migrate'>): Promise<void> {
  const db = openPrimary(env.DB)
  const own = eq(storylineMigrations.id, job.migrationId)
  const row = await findOwn(db, storylineMigrations, job.tenantId, own)
  if (row?.status !== 'running') return
  const more = await migrateSome(env, db, row, createSystemContext(env, 'migrate-storyline'))
  if (more) await sendJobs(env, [job])
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
