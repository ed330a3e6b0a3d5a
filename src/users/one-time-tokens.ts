import { and, eq, gt, inArray, isNull, lt, ne } from 'drizzle-orm'
import { ONE_TIME } from '../config/limits'
import { type Db, openPrimary } from '../db/client'
import { findOwn, selectOwn } from '../db/own'
import { oneTimeTokens } from '../db/tables/users'
import { badRequest } from '../errors'
import { hashOneTimeToken, mintOneTimeToken } from '../platform/crypto/one-time-token'
import { isOutage } from '../platform/outage'

export type LinkPurpose = 'verify' | 'reset' | 'email'
export type OneTimeRow = typeof oneTimeTokens.$inferSelect

const LIFETIME_MS = {
  verify: ONE_TIME.verifyMs,
  email: ONE_TIME.verifyMs,
  reset: ONE_TIME.resetMs,
  oauth: ONE_TIME.oauthMs,
}

/**
 * A link's token for a user. The id is the job's: a repeat replaces the token that may have been lost. A newer token of the
 * same purpose ends older ones, and wins over a late repeat of an older job (null then, and when the mail already left).
 */
export async function mintLinkToken(
  db: Db,
  link: { id: string; tenantId: string; userId: string; purpose: LinkPurpose },
  now: number,
): Promise<string | null> {
  const { token, hash } = await mintOneTimeToken()
  const sameKind = and(
    eq(oneTimeTokens.userId, link.userId),
    eq(oneTimeTokens.purpose, link.purpose),
  )
  const expiresAt = now + LIFETIME_MS[link.purpose]
  const [newer, own] = await db.batch([
    selectOwn(db, oneTimeTokens, link.tenantId, sameKind, gt(oneTimeTokens.id, link.id)).limit(1),
    selectOwn(db, oneTimeTokens, link.tenantId, eq(oneTimeTokens.id, link.id)).limit(1),
  ])
  if (newer.length > 0 || own[0]?.sentAt || own[0]?.usedAt) return null
  await db.batch([
    db.delete(oneTimeTokens).where(and(sameKind, ne(oneTimeTokens.id, link.id))),
    db
      .insert(oneTimeTokens)
      .values({ ...link, hash, expiresAt, createdAt: now })
      .onConflictDoUpdate({ target: oneTimeTokens.id, set: { hash, expiresAt } }),
  ])
  return token
}

/** Keeps what a link is to confirm until its mail is sent, which gives it a token that somebody has. */
export async function keepForLink(
  db: Db,
  link: { id: string; tenantId: string; userId: string; purpose: LinkPurpose; data: string },
  now: number,
): Promise<void> {
  const { hash } = await mintOneTimeToken()
  const expiresAt = now + LIFETIME_MS[link.purpose]
  await db.insert(oneTimeTokens).values({ ...link, hash, expiresAt, createdAt: now })
}

export async function findLink(db: Db, tenantId: string, id: string): Promise<OneTimeRow | null> {
  return (await findOwn(db, oneTimeTokens, tenantId, eq(oneTimeTokens.id, id))) ?? null
}

export async function markSent(db: Db, id: string, now: number): Promise<void> {
  await db.update(oneTimeTokens).set({ sentAt: now }).where(eq(oneTimeTokens.id, id))
}

/** A state for a sign-in at a provider: known to one browser by `binding`. */
export async function mintStateToken(
  db: Db,
  state: { id: string; tenantId: string; binding: string; seal(id: string): Promise<string> },
  now: number,
): Promise<string> {
  const { token, hash } = await mintOneTimeToken()
  const { id, tenantId, binding } = state
  await db.insert(oneTimeTokens).values({
    id,
    hash,
    tenantId,
    purpose: 'oauth',
    binding,
    data: await state.seal(id),
    expiresAt: now + LIFETIME_MS.oauth,
    createdAt: now,
  })
  return token
}

/**
 * Uses a token: one conditional update, so exactly one of several calls gets it. Where the platform fails before `use` is
 * over, the token can be used again. @param binding must match where one is set.
 * @throws badRequest for one that is unknown, used, expired, of another purpose or of another browser; what `use` throws.
 */
export async function withToken<T>(
  db: Db,
  purposes: readonly OneTimeRow['purpose'][],
  token: string,
  now: number,
  use: (row: OneTimeRow) => Promise<T>,
  binding: string | null = null,
): Promise<T> {
  const hash = await hashOneTimeToken(token)
  if (hash === null) throw badRequest('Invalid or expired token')
  try {
    return await use(await takeToken(db, purposes, hash, now, binding))
  } catch (error) {
    if (isOutage(error)) await giveBack(db, hash, now).catch(() => {})
    throw error
  }
}

const giveBack = async (db: Db, hash: string, usedAt: number) =>
  db
    .update(oneTimeTokens)
    .set({ usedAt: null })
    .where(and(eq(oneTimeTokens.hash, hash), eq(oneTimeTokens.usedAt, usedAt)))

async function takeToken(
  db: Db,
  purposes: readonly OneTimeRow['purpose'][],
  hash: string,
  now: number,
  binding: string | null,
): Promise<OneTimeRow> {
  const row = await db
    .update(oneTimeTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(oneTimeTokens.hash, hash),
        inArray(oneTimeTokens.purpose, [...purposes]),
        isNull(oneTimeTokens.usedAt),
        gt(oneTimeTokens.expiresAt, now),
        binding === null ? isNull(oneTimeTokens.binding) : eq(oneTimeTokens.binding, binding),
      ),
    )
    .returning()
    .get()
  if (!row) throw badRequest('Invalid or expired token')
  return row
}

/** Tokens are of no use once they have expired. */
export async function purgeTokens(env: Env, now: number): Promise<void> {
  await openPrimary(env.DB)
    .delete(oneTimeTokens)
    .where(lt(oneTimeTokens.expiresAt, now - ONE_TIME.keptMs))
}
