import { and, eq } from 'drizzle-orm'
import type { BaseContext } from '../context'
import { accounts, users } from '../db/tables/users'
import { ApiError } from '../errors'
import { type HashTurn, hashPassword, verifyPassword } from '../platform/crypto/password'
import type { LoginIn } from './account-fields'
import { findAccount, indexEmail, type KnownAccount } from './find-account'
import { findNativeTenant } from './find-tenant'
import { inHashLine } from './hash-line'
import { type IssuedToken, issueToken } from './issue-token'
import { limitAccount } from './limit-account'

/**
 * A token for the right password. Every refusal costs one query and one hash, whether the address has an account or not.
 * @throws ApiError 401 in one form for every reason; notFound, forbidden for the tenant; rateLimited.
 */
export function logIn(base: BaseContext, input: LoginIn): Promise<IssuedToken> {
  return inHashLine(base, (turn) => checkPassword(base, input, turn))
}

async function checkPassword(
  base: BaseContext,
  input: LoginIn,
  turn: HashTurn,
): Promise<IssuedToken> {
  const tenant = await findNativeTenant(base, input.tenant_id)
  const index = await indexEmail(base, tenant, input.email)
  await limitAccount(base, 'login', tenant.id, index)
  const known = await findAccount(base.db, tenant.id, index)
  const stored = known?.account.password ?? null
  const { ok, rehash } = await verifyPassword(input.password, stored, turn)
  if (!known || !ok) throw new ApiError('invalid_credential', 'Invalid email or password')
  base.waitUntil(noteLogin(base, known, rehash ? input.password : null))
  return issueToken(base, known, known.account.emailVerified)
}

async function noteLogin(
  base: BaseContext,
  { account, user }: KnownAccount,
  rehash: string | null,
): Promise<void> {
  await base.db.update(users).set({ lastActiveAt: base.now }).where(eq(users.id, user.id))
  if (rehash === null) return
  const password = await inHashLine(base, (turn) => hashPassword(rehash, turn))
  // A password that was set meanwhile stays.
  const isSame = eq(accounts.password, account.password ?? '')
  await base.db
    .update(accounts)
    .set({ password })
    .where(and(eq(accounts.userId, account.userId), isSame))
}
