import type { UserContext } from '../context'
import { invalid, notFound } from '../errors'
import { hashPassword, verifyPassword } from '../platform/crypto/password'
import type { OwnPasswordIn } from './account-fields'
import { endTokens, endWaysIn } from './end-tokens'
import { findAccountOf, type KnownAccount } from './find-account'
import { findSelf } from './find-self'
import { inHashLine } from './hash-line'
import { type IssuedToken, issueToken } from './issue-token'
import { limitAccount } from './limit-account'
import { changePassword } from './use-link'

/**
 * A new password in place of the one that is known; every token ends, and a new one is given.
 * @throws notFound for somebody who has no password; ApiError 422 for a wrong one; rateLimited, with the logins.
 */
export async function changeOwnPassword(
  ctx: UserContext,
  input: OwnPasswordIn,
): Promise<IssuedToken> {
  const known = await findAccountOf(ctx.db, ctx.tenant.id, ctx.user.id)
  if (!known || known.account.password === null) throw notFound('Password')
  await requirePassword(ctx, known, input.current_password, 'current_password')
  const password = await inHashLine(ctx, (turn) => hashPassword(input.new_password, turn))
  if (!(await changePassword(ctx, known, password, known.account.password)))
    throw wrongPassword('current_password')
  return freshToken(ctx)
}

/** Ends every token of the user, this call's too, and gives a new one. @throws notFound for who has not signed in. */
export async function signOutEverywhere(ctx: UserContext): Promise<IssuedToken> {
  if (ctx.user.tokenVersion === null || ctx.user.source === 'anonymous') throw notFound('Sign-in')
  const { user } = await findSelf(ctx)
  await ctx.db.batch(endWaysIn(ctx.db, user))
  await endTokens(ctx, user)
  return freshToken(ctx)
}

/** @throws ApiError 422 at the field for a wrong one; rateLimited, with the logins. */
export async function requirePassword(
  ctx: UserContext,
  { account }: KnownAccount,
  password: string,
  field: string,
): Promise<void> {
  await limitAccount(ctx, 'login', ctx.tenant.id, account.emailIndex)
  const { ok } = await inHashLine(ctx, (turn) => verifyPassword(password, account.password, turn))
  if (!ok) throw wrongPassword(field)
}

const wrongPassword = (field: string) => invalid(['body', field], 'this is not the password')

/** Of the version that the user's tokens need by now. */
async function freshToken(ctx: UserContext): Promise<IssuedToken> {
  const known = await findAccountOf(ctx.db, ctx.tenant.id, ctx.user.id)
  return issueToken(ctx, known ?? (await findSelf(ctx)), known?.account.emailVerified ?? false)
}
