import { and, eq, sql } from 'drizzle-orm'
import type { BaseContext } from '../context'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { accounts } from '../db/tables/users'
import { badRequest } from '../errors'
import { hashPassword } from '../platform/crypto/password'
import { endTokens, endWaysIn } from './end-tokens'
import { findAccountOf, type KnownAccount } from './find-account'
import { inHashLine } from './hash-line'
import { type OneTimeRow, withToken } from './one-time-tokens'
import { startFresh } from './start-fresh'
import { takeEmail } from './take-email'
import { UserFields } from './user-fields'

/** Confirms the address that the link was sent to, the account's own or the one that it is to have. @throws badRequest for a token that is not good. */
export function verifyEmail(base: BaseContext, token: string): Promise<void> {
  return withToken(base.db, ['verify', 'email'], token, base.now, (link) => confirm(base, link))
}

async function confirm(base: BaseContext, link: OneTimeRow): Promise<void> {
  if (link.purpose === 'email') return takeEmail(base, link)
  const confirmed = await base.db
    .update(accounts)
    .set({ emailVerified: true, updatedAt: base.now })
    .where(and(eq(accounts.tenantId, link.tenantId), eq(accounts.userId, link.userId ?? '')))
    .returning({ id: accounts.userId })
  if (confirmed.length === 0) throw badRequest('Invalid or expired token')
}

/**
 * Sets a new password, ends all sessions and logs nobody in. The link proves who owns the address: where the account was
 * never confirmed, whoever registered it may be somebody else, so the owner starts as a fresh user.
 * @throws badRequest for a token that is not good.
 */
export async function resetPassword(
  base: BaseContext,
  token: string,
  newPassword: string,
): Promise<void> {
  const password = await inHashLine(base, (turn) => hashPassword(newPassword, turn))
  await withToken(base.db, ['reset'], token, base.now, (link) => reset(base, link, password))
}

async function reset(base: BaseContext, link: OneTimeRow, password: string): Promise<void> {
  const known = await findAccountOf(base.db, link.tenantId, link.userId ?? '')
  const tenant = await base.db
    .select()
    .from(tenants)
    .where(eq(tenants.id, link.tenantId))
    .limit(1)
    .get()
  if (!known || tenant?.status !== 'active' || tenant.authMode !== 'native')
    throw badRequest('Invalid or expired token')
  if (known.account.emailVerified) {
    await changePassword(base, known, password)
    return
  }
  try {
    await replaceTrap(base, tenant, known, password)
  } catch (error) {
    // The address may have been confirmed in this very moment: then the account is the owner's and stays.
    const now = await findAccountOf(base.db, link.tenantId, known.user.id)
    if (!now?.account.emailVerified) throw error
    await changePassword(base, now, password)
  }
}

/**
 * @param password its stored form. @param asserted the stored form that was given for it, if one was.
 * @returns false when another password has taken the place of that one.
 */
export async function changePassword(
  base: Pick<BaseContext, 'db' | 'env' | 'log' | 'now'>,
  { account, user }: Pick<KnownAccount, 'account' | 'user'>,
  password: string,
  asserted?: string,
): Promise<boolean> {
  const own = eq(accounts.userId, account.userId)
  const stands = sql`EXISTS (SELECT 1 FROM accounts WHERE user_id = ${user.id} AND password = ${password})`
  const [changed] = await base.db.batch([
    base.db
      .update(accounts)
      .set({ password, updatedAt: base.now })
      .where(asserted ? and(own, eq(accounts.password, asserted)) : own)
      .returning({ userId: accounts.userId }),
    ...endWaysIn(base.db, user, stands),
  ])
  if (changed.length === 0) return false
  await endTokens(base, user)
  return true
}

async function replaceTrap(
  base: BaseContext,
  tenant: TenantRow,
  trap: KnownAccount,
  password: string,
): Promise<void> {
  const fields = await UserFields.load(base, tenant, trap.user.id)
  const email = await fields.read('accounts', 'email', trap.account.email)
  if (email === null) throw badRequest('Invalid or expired token')
  const owner = {
    source: 'email',
    email,
    emailIndex: trap.account.emailIndex,
    password,
    identity: null,
    lang: trap.user.lang,
  }
  await startFresh(base, tenant, owner, trap)
}
