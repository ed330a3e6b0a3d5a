import { and, eq, sql } from 'drizzle-orm'
import { STORYLINES } from '../config/limits'
import type { TenantContext } from '../context'
import { type StorylineRow, storylineRevisions } from '../db/tables/storylines'
import { conflict } from '../errors'
import { loadRules } from '../lazy'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { changeResource, saveResource } from '../resources/named-resource'
import type { Validation } from './checks/findings'
import type { Frozen } from './freeze'
import { refusal } from './refusal'
import { findLive, getStoryline, requireEnabled, STORYLINE } from './storylines'
import { readSurroundings, subjectOf } from './surroundings'

/** Checks the working copy as it is saved. */
export async function checkStoryline(ctx: TenantContext, row: StorylineRow): Promise<Validation> {
  return (await examine(ctx, row)).validation
}

async function examine(ctx: TenantContext, row: StorylineRow) {
  const [{ validate }, around] = await Promise.all([loadRules(), readSurroundings(ctx, row)])
  return { validation: validate(subjectOf(row), around), ids: around.ids }
}

/**
 * Checks the working copy and freezes it as what new enrollments run on; those under way stay on theirs. A copy that
 * equals what is live makes no revision.
 * @param gate what else has to hold: it throws where that does not.
 * @throws notFound; ApiError 422 with every error of the check.
 */
export async function publishStoryline(
  ctx: TenantContext,
  id: string,
  gate?: (ctx: TenantContext, row: StorylineRow) => Promise<void>,
): Promise<StorylineRow> {
  requireEnabled(ctx)
  let rested = false
  const row = await changeResource(ctx, STORYLINE, id, async () => {
    const before = await getStoryline(ctx, id)
    rested = before.status === 'unpublished'
    const { validation, ids } = await examine(ctx, before)
    if (!validation.ok) throw refusal(validation.errors)
    await gate?.(ctx, before)
    const [{ freeze }, live] = await Promise.all([loadRules(), findLive(ctx, before)])
    const frozen = freeze(before, ids)
    if (live && isSame(live, frozen)) return before
    const revisionId = newId(ctx.now)
    const published = { status: 'published' as const, publishedRevisionId: revisionId }
    const statements = addRevision(ctx, before, revisionId, frozen)
    return saveResource(ctx, STORYLINE, before, published, 'publish', undefined, statements)
  })
  if (rested)
    await sendJobs(ctx.env, [
      { type: 'storyline.wake', tenantId: ctx.tenant.id, of: { storylineId: id }, after: null },
    ])
  return row
}

/** No new starts; who is on the way is paused until it is published again. @throws notFound; conflict. */
export async function unpublishStoryline(ctx: TenantContext, id: string): Promise<StorylineRow> {
  requireEnabled(ctx)
  return changeResource(ctx, STORYLINE, id, async () => {
    const before = await getStoryline(ctx, id)
    if (before.status !== 'published')
      throw conflict('The storyline is not published', 'not_published')
    const changed = { status: 'unpublished' as const, publishedRevisionId: null }
    return saveResource(ctx, STORYLINE, before, changed, 'unpublish')
  })
}

const isSame = (live: Frozen, { graph, profileSchema, behaviour }: Frozen): boolean =>
  JSON.stringify([live.graph, live.profileSchema, live.behaviour]) ===
  JSON.stringify([graph, profileSchema, behaviour])

/** The newest hundred stay, and all that somebody is on. */
function addRevision(ctx: TenantContext, row: StorylineRow, id: string, frozen: Frozen) {
  const { db, tenant } = ctx
  const old = sql`${storylineRevisions.id} < (SELECT id FROM storyline_revisions WHERE storyline_id = ${row.id}
    ORDER BY id DESC LIMIT 1 OFFSET ${STORYLINES.revisionsKept - 1})`
  const unused = sql`NOT EXISTS (SELECT 1 FROM storyline_enrollments AS e WHERE e.storyline_id = ${row.id}
    AND e.revision_id = ${storylineRevisions.id} AND e.status IN ('offered', 'active', 'paused'))`
  return [
    db.insert(storylineRevisions).values({
      id,
      tenantId: tenant.id,
      storylineId: row.id,
      version: row.version,
      actor: ctx.actor.name,
      ...frozen,
      createdAt: ctx.now,
    }),
    db
      .delete(storylineRevisions)
      .where(
        and(
          eq(storylineRevisions.tenantId, tenant.id),
          eq(storylineRevisions.storylineId, row.id),
          old,
          unused,
        ),
      ),
  ]
}
