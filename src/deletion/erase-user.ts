import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { openPrimary } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { deletions } from '../db/tables/deletions'
import { spaces } from '../db/tables/spaces'
import { users } from '../db/tables/users'
import { deleteFiles, removeFiles, userKeyPath, userPrefixes } from '../platform/files'
import { userSpace, workIn } from '../platform/stubs'
import { createSystemContext } from '../platform/system-actor'
import { forgetReviewsOf } from '../reviews/forget-user'
import { emitEvent } from '../webhooks/emit-event'

/**
 * Tables with a `user_id` whose rows go with the user, in the order in which they may. A test compares them with the
 * database: a new table has to be named here or among those that stay.
 */
export const OWNED_TABLES = [
  'storyline_enrollments',
  'handoffs',
  'exports',
  'accounts',
  'identities',
  'one_time_tokens',
  'user_profiles',
  'review_origins',
  'space_merges',
  'space_tags',
  'channel_inbox',
  'channel_links',
  'channel_codes',
  'spaces',
] as const
/** Counts by id, and the deletion itself. */
export const KEPT_TABLES = ['usage_hourly', 'deletions'] as const

/** Rows, objects or files that a deletion found or left, by kind. */
type Counts = Record<string, number>

/**
 * Removes what a deleted user leaves: objects with their alarms, files, rows; checks by counts that nothing is left, and
 * writes the receipt. Safe to run twice and after any failure. @throws Error while something is left: the job comes again.
 */
export async function eraseUser(env: Env, tenantId: string, userId: string): Promise<void> {
  const ctx = createSystemContext(env, 'erase-user')
  const { db } = ctx
  const open = and(
    eq(deletions.tenantId, tenantId),
    eq(deletions.userId, userId),
    eq(deletions.spaceId, ''),
    isNull(deletions.finishedAt),
  )
  const deletion = await findOwn(db, deletions, tenantId, open)
  if (!deletion) return dropUnusedKey(env, tenantId, userId)
  const removed = deletion.removed ?? (await measure(env, tenantId, userId))
  if (!deletion.removed) await db.update(deletions).set({ removed }).where(open)

  await removeUser(env, tenantId, userId)
  // Before the receipt: a repeat is the same event, and after it nobody would come again.
  await emitEvent(env, tenantId, {
    type: 'user.deleted',
    key: userId,
    data: { user_id: userId },
    at: deletion.requestedAt,
  })
  await commitChange(
    { ...ctx, requestId: deletion.requestId },
    tenantId,
    [
      db.delete(users).where(and(eq(users.tenantId, tenantId), eq(users.id, userId))),
      db.update(deletions).set({ finishedAt: ctx.now }).where(open),
    ],
    {
      action: 'delete',
      entity: 'user_data',
      entityId: userId,
      entityName: null,
      before: removed,
      after: { key_destroyed: true, left: 0 },
      requires: sql`EXISTS (SELECT 1 FROM deletions WHERE user_id = ${userId} AND space_id = '' AND finished_at IS NULL)`,
    },
  )
}

/** The key of a user who never came to be: it was stored, then the batch that makes the user failed. */
async function dropUnusedKey(env: Env, tenantId: string, userId: string): Promise<void> {
  const user = await findOwn(openPrimary(env.DB), users, tenantId, eq(users.id, userId))
  if (!user) await deleteFiles(env.FILES, [userKeyPath(tenantId, userId)])
}

/**
 * Objects, files and rows of a user, but for the row of the user. @returns how many objects there were.
 * @throws Error while something is left.
 */
export async function removeUser(env: Env, tenantId: string, userId: string): Promise<number> {
  const db = openPrimary(env.DB)
  const spacesOfUser = await spaceIds(env, tenantId, userId)
  const objects = await destroyObjects(env, tenantId, userId, spacesOfUser)
  const filesGone = await removeUserFiles(env, tenantId, userId)
  await db.batch(forgetReviewsOf(db, tenantId, userId))
  await removeRows(env.DB, tenantId, userId)
  const rows = await countRows(env.DB, tenantId, userId)
  const left = { ...rows, ...objects, files: filesGone ? 0 : 1 }
  if (Object.values(left).some((n) => n > 0)) {
    throw new Error(`Not all of a deleted user is gone: ${JSON.stringify(left)}`)
  }
  return spacesOfUser.length
}

/** What there is of a user, in the database and in the objects. */
export async function measure(env: Env, tenantId: string, userId: string): Promise<Counts> {
  const counts = await countRows(env.DB, tenantId, userId)
  for (const spaceId of await spaceIds(env, tenantId, userId)) {
    const rows = await workIn(env, { tenantId, userId, spaceId }, 'space', 'countRows')
    for (const [table, n] of Object.entries(rows)) {
      if (table !== 'facts') counts[table] = (counts[table] ?? 0) + n
    }
  }
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))
}

/** Empties the objects of these spaces. @returns the rows that are left in them: none. */
async function destroyObjects(
  env: Env,
  tenantId: string,
  userId: string,
  ids: readonly string[],
): Promise<Counts> {
  let rows = 0
  for (const spaceId of ids) {
    const address = { tenantId, userId, spaceId }
    await userSpace(env, address).destroy()
    const left = await workIn(env, address, 'space', 'countRows')
    rows += Object.values(left).reduce((sum, n) => sum + n, 0)
  }
  return { object_rows: rows }
}

/** Also those that were deleted just before and may not be empty yet. */
async function spaceIds(env: Env, tenantId: string, userId: string): Promise<string[]> {
  const db = openPrimary(env.DB)
  const [present, leaving] = await db.batch([
    pickOwn(db, spaces, tenantId, { id: spaces.id }, eq(spaces.userId, userId)),
    pickOwn(
      db,
      deletions,
      tenantId,
      { id: deletions.spaceId },
      eq(deletions.userId, userId),
      ne(deletions.spaceId, ''),
    ),
  ])
  return [...new Set([...present, ...leaving].map(({ id }) => id))]
}

/** The key first. @returns whether nothing is listed any more. */
async function removeUserFiles(env: Env, tenantId: string, userId: string): Promise<boolean> {
  let gone = true
  for (const prefix of userPrefixes(tenantId, userId)) {
    gone = (await removeFiles(env.FILES, prefix)) && gone
  }
  return gone
}

async function removeRows(d1: D1Database, tenantId: string, userId: string): Promise<void> {
  await d1.batch([
    ...OWNED_TABLES.map((table) =>
      d1.prepare(`DELETE FROM ${table} WHERE tenant_id = ? AND user_id = ?`).bind(tenantId, userId),
    ),
    d1.prepare('UPDATE accounts SET visitor_id = NULL WHERE visitor_id = ?').bind(userId),
  ])
}

async function countRows(d1: D1Database, tenantId: string, userId: string): Promise<Counts> {
  const columns = OWNED_TABLES.map(
    (table) => `(SELECT count(*) FROM ${table} WHERE tenant_id = ?1 AND user_id = ?2) AS ${table}`,
  )
  const row = await d1
    .withSession('first-primary')
    .prepare(`SELECT ${columns.join(', ')}`)
    .bind(tenantId, userId)
    .first<Counts>()
  return row ?? {}
}
