import { and, eq, lt, sql } from 'drizzle-orm'
import { DAY_MS, JWT } from '../config/limits'
import { openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { users } from '../db/tables/users'
import { sendJobs } from '../platform/queue'
import { measure, removeUser } from './erase-user'

/** No token of a visitor lasts as long, and there is no other way back. */
const ENDED_AFTER_MS = JWT.maxTtlS * 1000 + DAY_MS
const BATCH = 100
/** Seen by the index `users_unseen`, whose words these are. */
const UNSEEN = sql`source = 'anonymous' AND last_active_at = created_at AND status = 'active'`

/** Visitors who can no longer come back and had no turn: a job each looks whether they left anything. */
export async function dropVisitors(env: Env, now: number): Promise<void> {
  const unseen = await openPrimary(env.DB)
    .select({ tenantId: users.tenantId, userId: users.id })
    .from(users)
    .where(and(UNSEEN, lt(users.createdAt, now - ENDED_AFTER_MS)))
    .orderBy(users.createdAt)
    .limit(BATCH)
  await sendJobs(
    env,
    unseen.map((visitor) => ({ type: 'visitor.drop', ...visitor })),
  )
}

/**
 * Removes a visitor who left no more than the space that everybody has. Whoever left something, or was given something,
 * counts as seen from now on and stays.
 */
export async function dropVisitor(env: Env, tenantId: string, userId: string): Promise<void> {
  const db = openPrimary(env.DB)
  const self = and(eq(users.id, userId), UNSEEN)
  if (!(await findOwn(db, users, tenantId, self))) return
  const { spaces, ...left } = await measure(env, tenantId, userId)
  if (spaces === 1 && Object.keys(left).length === 0) {
    await removeUser(env, tenantId, userId)
    await db.delete(users).where(and(eq(users.tenantId, tenantId), self))
  } else {
    await db
      .update(users)
      .set({ lastActiveAt: sql`created_at + 1` })
      .where(and(eq(users.tenantId, tenantId), self))
  }
}
