import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { BaseContext } from '../context'
import { type Db, openPrimary } from '../db/client'
import { findOwn } from '../db/own'
import { channelCodes, channelInbox, channelLinks } from '../db/tables/channels'
import { oneTimeTokens, users } from '../db/tables/users'
import { sendJobs } from '../platform/queue'
import { endSessions } from './end-sessions'

const BATCH = 500

interface UserAddress {
  tenantId: string
  id: string
}

/**
 * The statements that end a user's tokens, and the ways in that ask for none: linked chats with what was said there and
 * waits, codes that link one, and an address that waits for its link. Then `endTokens`.
 * @param when what must hold, by then, for any of them
 */
export function endWaysIn(db: Db, { tenantId, id }: UserAddress, when?: SQL) {
  const ofUser = (table: { tenantId: SQLiteColumn; userId: SQLiteColumn }) =>
    and(eq(table.tenantId, tenantId), eq(table.userId, id), when)
  return [
    db
      .update(users)
      .set({ tokenVersion: sql`token_version + 1` })
      .where(and(eq(users.id, id), eq(users.status, 'active'), when)),
    db.delete(channelLinks).where(ofUser(channelLinks)),
    db.delete(channelCodes).where(ofUser(channelCodes)),
    db.update(channelInbox).set({ body: null }).where(ofUser(channelInbox)),
    db.delete(oneTimeTokens).where(and(ofUser(oneTimeTokens), eq(oneTimeTokens.purpose, 'email'))),
  ] as const
}

/**
 * To be called once a user's token version was raised: all objects of the user hear of it. What cannot be told now is told
 * by a job, and what dies before that is found by the cron.
 */
export async function endTokens(
  base: Pick<BaseContext, 'env' | 'log'>,
  { tenantId, id }: UserAddress,
): Promise<void> {
  try {
    await tellEnded(base.env, { tenantId, id })
  } catch (error) {
    base.log.error('objects_not_told', error, { user_id: id })
    await sendJobs(base.env, [{ type: 'tokens.end', tenantId, userId: id }])
  }
}

/** Tells the objects of the version that stands, and notes that. Safe to repeat. @throws while one cannot be told. */
export async function tellEnded(env: Env, { tenantId, id }: UserAddress): Promise<void> {
  const db = openPrimary(env.DB)
  const own = and(eq(users.tenantId, tenantId), eq(users.id, id))
  const row = await findOwn(db, users, tenantId, own)
  // A deletion ends the tokens itself.
  if (row?.status !== 'active') return
  const { tokenVersion } = row
  await endSessions({ env, db }, row, tokenVersion, false)
  await db
    .update(users)
    .set({ toldVersion: tokenVersion })
    .where(and(own, lt(users.toldVersion, tokenVersion)))
}

/** Users whose objects were not told: the process died after the write, or the job was given up. */
export async function watchEndedTokens(env: Env): Promise<void> {
  const untold = await openPrimary(env.DB)
    .select({ tenantId: users.tenantId, userId: users.id })
    .from(users)
    .where(sql`told_version < token_version AND status = 'active'`)
    .limit(BATCH)
  await sendJobs(
    env,
    untold.map((user) => ({ type: 'tokens.end' as const, ...user })),
  )
}

/** The version that a user's tokens need, from the primary; null for a user who is gone. */
export async function readTokenVersion(
  env: Env,
  { tenantId, id }: UserAddress,
): Promise<number | null> {
  const active = [eq(users.id, id), eq(users.status, 'active')]
  const user = await findOwn(openPrimary(env.DB), users, tenantId, ...active)
  return user?.tokenVersion ?? null
}
