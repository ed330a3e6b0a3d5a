import { and, eq, inArray, sql } from 'drizzle-orm'
import type { OperatorContext, TenantContext } from '../context'
import {
  storylineCounts,
  storylineMigrations,
  storylineRevisions,
  storylineScenarios,
  storylines,
} from '../db/tables/storylines'
import { sendJobs } from '../platform/queue'

/** Should the caller die between its write and what it sends after it, this finds what is left. */
const AGAIN_S = 60

interface Told {
  id: string
}

/** What is kept of a storyline, and goes with it. */
const OF_STORYLINES = [
  storylineRevisions,
  storylineCounts,
  storylineMigrations,
  storylineScenarios,
] as const

/** Statements by which storylines go with all that is frozen and counted of them; what led to them leads nowhere. */
export function removeStorylines(
  { db, tenant, now }: OperatorContext & Pick<TenantContext, 'tenant'>,
  told: readonly Told[],
) {
  if (told.length === 0) return []
  // One value for all of them: a statement takes a hundred.
  const ids = sql`(SELECT value FROM json_each(${JSON.stringify(told.map(({ id }) => id))}))`
  return [
    db
      .update(storylines)
      .set({
        nextStorylineId: null,
        version: sql`${storylines.version} + 1`,
        updatedAt: sql`max(${now}, ${storylines.updatedAt} + 1)`,
      })
      .where(and(eq(storylines.tenantId, tenant.id), inArray(storylines.nextStorylineId, ids))),
    ...OF_STORYLINES.map((table) =>
      db.delete(table).where(and(eq(table.tenantId, tenant.id), inArray(table.storylineId, ids))),
    ),
    db
      .delete(storylines)
      .where(and(eq(storylines.tenantId, tenant.id), inArray(storylines.id, ids))),
  ]
}

/** What people's objects hold of storylines that are gone, or will be, goes in the background. */
export async function clearStorylines(
  { env, tenant }: Pick<TenantContext, 'env' | 'tenant'>,
  told: readonly Told[],
  delayS = 0,
): Promise<void> {
  const jobs = told.map(({ id }) => ({
    type: 'storyline.clear' as const,
    tenantId: tenant.id,
    storylineId: id,
  }))
  await sendJobs(env, jobs, delayS)
}

/** Before the write: whatever dies after it, the objects are cleared all the same. */
export const clearStorylinesLater = (
  ctx: Pick<TenantContext, 'env' | 'tenant'>,
  told: readonly Told[],
): Promise<void> => clearStorylines(ctx, told, AGAIN_S)
