import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { answerMessage } from '../channels/answer-message'
import { CHAT_APP } from '../config/limits'
import { configOf } from '../config/read-config'
import { type Db, openPrimary } from '../db/client'
import { channelCodes, channelInbox, type InboxRow } from '../db/tables/channels'
import { createLog } from '../log'
import { sendJobs } from '../platform/queue'
import { TryLater } from '../platform/try-later'
import type { JobOf } from './job'

type Job = JobOf<'channel.turn'>

/**
 * Answers what waits of one user at a channel, one message after the other, in the order in which they were written. Whoever
 * finds another at work leaves: that one goes on with what came meanwhile.
 */
export async function answerChannel(env: Env, job: Job): Promise<void> {
  const db = openPrimary(env.DB)
  const { claimMs } = configOf(env)
  for (;;) {
    const row = await claimNext(db, job, Date.now(), claimMs)
    if (!row) return
    const alive = setInterval(() => {
      void renew(db, row.id).catch(() => {})
    }, claimMs / 4)
    try {
      const isHopeless = row.attempts > CHAT_APP.attempts
      if (isHopeless) createLog('channels').warn('message_given_up', { channel: row.channel })
      const wait = isHopeless ? null : await answerMessage(env, row)
      if (wait !== null) throw new TryLater(wait)
      await db
        .update(channelInbox)
        .set({ body: null, claimedAt: null })
        .where(eq(channelInbox.id, row.id))
    } catch (error) {
      // To wait is no attempt.
      await release(db, row.id, error instanceof TryLater ? row.attempts - 1 : row.attempts)
      throw error
    } finally {
      clearInterval(alive)
    }
  }
}

/** The oldest waiting message, unless it is in somebody's hands. */
async function claimNext(
  db: Db,
  { tenantId, channel, userId }: Job,
  now: number,
  claimMs: number,
): Promise<InboxRow | undefined> {
  const oldest = sql`(SELECT id FROM channel_inbox WHERE tenant_id = ${tenantId} AND channel = ${channel}
    AND user_id = ${userId} AND body IS NOT NULL ORDER BY seq LIMIT 1)`
  return db
    .update(channelInbox)
    .set({ claimedAt: now, attempts: sql`${channelInbox.attempts} + 1` })
    .where(
      and(
        eq(channelInbox.id, oldest),
        or(isNull(channelInbox.claimedAt), lt(channelInbox.claimedAt, now - claimMs)),
      ),
    )
    .returning()
    .get()
}

const renew = (db: Db, id: string) =>
  db.update(channelInbox).set({ claimedAt: Date.now() }).where(eq(channelInbox.id, id))
const release = (db: Db, id: string, attempts: number) =>
  db.update(channelInbox).set({ claimedAt: null, attempts }).where(eq(channelInbox.id, id))

const BATCH = 500

/** Takes up what no job has in hand any more, and lets go of what has waited for a day. */
export async function watchInbox(env: Env, now: number): Promise<number> {
  const db = openPrimary(env.DB)
  await db
    .update(channelInbox)
    .set({ body: null })
    .where(
      and(
        sql`${channelInbox.body} IS NOT NULL`,
        lt(channelInbox.receivedAt, now - CHAT_APP.keptMs),
      ),
    )
  const idle = now - configOf(env).claimMs
  const waiting = await db
    .selectDistinct({
      tenantId: channelInbox.tenantId,
      channel: channelInbox.channel,
      userId: channelInbox.userId,
    })
    .from(channelInbox)
    .where(
      and(
        sql`${channelInbox.body} IS NOT NULL`,
        lt(channelInbox.receivedAt, idle),
        or(isNull(channelInbox.claimedAt), lt(channelInbox.claimedAt, idle)),
      ),
    )
    .limit(BATCH)
  await sendJobs(
    env,
    waiting.map((row) => ({ type: 'channel.turn' as const, ...row })),
  )
  return waiting.length
}

/** Rows of answered messages, and codes that have run out. */
export async function purgeChannels(env: Env, now: number): Promise<void> {
  const db = openPrimary(env.DB)
  await db.batch([
    db
      .delete(channelInbox)
      .where(and(isNull(channelInbox.body), lt(channelInbox.receivedAt, now - CHAT_APP.purgeMs))),
    db.delete(channelCodes).where(lt(channelCodes.expiresAt, now)),
  ])
}
