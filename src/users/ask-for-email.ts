import type { UserContext } from '../context'
import { notFound } from '../errors'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import type { OwnEmailIn } from './account-fields'
import { findAccountOf, indexEmail } from './find-account'
import { limitAccount } from './limit-account'
import { keepForLink } from './one-time-tokens'
import { requirePassword } from './own-account'
import { UserFields } from './user-fields'

/**
 * Asks for a link to a new address, which takes the place of the present one once the link is opened. Whether somebody has
 * that address shows in nothing that is done here: the job finds out, and sends no link then.
 * @throws notFound for somebody who has no password; ApiError 422 for a wrong one; rateLimited.
 */
export async function askForEmail(ctx: UserContext, input: OwnEmailIn): Promise<void> {
  const { tenant, user } = ctx
  const known = await findAccountOf(ctx.db, tenant.id, user.id)
  if (!known || known.account.password === null) throw notFound('Password')
  await requirePassword(ctx, known, input.password, 'password')
  await limitAccount(ctx, 'resend', tenant.id, await indexEmail(ctx, tenant, input.email))
  const fields = await UserFields.load(ctx, tenant, user.id)
  const id = newId(ctx.now)
  const link = { id, tenantId: tenant.id, userId: user.id, purpose: 'email' as const }
  const data = await fields.seal('one_time_tokens', 'data', input.email, id)
  await keepForLink(ctx.db, { ...link, data }, ctx.now)
  await sendJobs(ctx.env, [{ type: 'account.mail', ...link }])
}
