import { and, eq, inArray } from 'drizzle-orm'
import type { BaseContext } from '../context'
import { isTaken } from '../db/sql-errors'
import { tenants } from '../db/tables/tenants'
import { accounts, oneTimeTokens } from '../db/tables/users'
import { badRequest } from '../errors'
import { findAccountOf, indexEmail } from './find-account'
import type { OneTimeRow } from './one-time-tokens'
import { UserFields } from './user-fields'

/** The address that a link is to confirm; null when it does not open. */
export async function wantedEmail(
  fields: UserFields,
  { id, data }: Pick<OneTimeRow, 'id' | 'data'>,
): Promise<string | null> {
  return data === null ? null : fields.read('one_time_tokens', 'data', data, id)
}

/**
 * The address that the link was sent to is the account's from now on; links to the old one are worth nothing.
 * @throws badRequest where somebody else has it meanwhile, or the account is gone.
 */
export async function takeEmail(base: BaseContext, link: OneTimeRow): Promise<void> {
  const { db, now } = base
  const { tenantId } = link
  const known = await findAccountOf(db, tenantId, link.userId ?? '')
  const tenant = await db.select().from(tenants).where(eq(tenants.id, tenantId)).limit(1).get()
  if (!known || tenant?.status !== 'active' || tenant.authMode !== 'native') throw isBad()
  const userId = known.user.id
  const fields = await UserFields.load(base, tenant, userId)
  const address = await wantedEmail(fields, link)
  if (address === null) throw isBad()
  const email = await fields.seal('accounts', 'email', address)
  const emailIndex = await indexEmail(base, tenant, address)
  try {
    await db.batch([
      db
        .update(accounts)
        .set({ email, emailIndex, emailVerified: true, updatedAt: now })
        .where(and(eq(accounts.tenantId, tenantId), eq(accounts.userId, userId))),
      db
        .delete(oneTimeTokens)
        .where(
          and(
            eq(oneTimeTokens.userId, userId),
            inArray(oneTimeTokens.purpose, ['verify', 'reset', 'email']),
          ),
        ),
    ])
  } catch (error) {
    if (isTaken(error, 'email_index')) throw isBad()
    throw error
  }
}

const isBad = () => badRequest('Invalid or expired token')
