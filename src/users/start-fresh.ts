import { and, eq } from 'drizzle-orm'
import type { BaseContext } from '../context'
import type { TenantRow } from '../db/tables/tenants'
import { accounts, identities } from '../db/tables/users'
import { sendJobs } from '../platform/queue'
import { addUser, insertUser, type NewUser } from './create-user'
import { destroyUserKey, endUser } from './end-user'
import type { KnownAccount } from './find-account'
import { UserFields } from './user-fields'

/** Who proved to own an address, and how they sign in from now on. */
export interface Owner {
  source: string
  /** As the owner writes it. */
  email: string
  emailIndex: string
  password: string | null
  identity: { provider: 'google' | 'github'; subject: string } | null
  lang: KnownAccount['user']['lang']
}

/**
 * A new user whose address is confirmed. Where somebody registered that address before and never confirmed it (a trap, or a
 * typing error), that user ends: password, tokens, identities and data go with it (rule AU9).
 * @throws what the database says when the address was confirmed meanwhile; nothing is changed then.
 */
export async function startFresh(
  base: BaseContext,
  tenant: TenantRow,
  owner: Owner,
  trap: KnownAccount | null,
): Promise<NewUser> {
  const { db } = base
  const { source, lang } = owner
  const made = await addUser(base, tenant, { source, lang }, async (made) => {
    const fields = await UserFields.load(base, tenant, made.user.id)
    const account = {
      userId: made.user.id,
      tenantId: tenant.id,
      emailIndex: owner.emailIndex,
      email: await fields.seal('accounts', 'email', owner.email),
      emailVerified: true,
      password: owner.password,
      visitorId: null,
      createdAt: base.now,
      updatedAt: base.now,
    }
    const identity = owner.identity
      ? [
          db.insert(identities).values({
            ...owner.identity,
            tenantId: tenant.id,
            userId: made.user.id,
            createdAt: base.now,
          }),
        ]
      : []
    return [
      // A trap that was confirmed meanwhile stays, and then the new account for its address is refused.
      db
        .delete(accounts)
        .where(and(eq(accounts.userId, trap?.user.id ?? ''), eq(accounts.emailVerified, false))),
      ...insertUser(db, made),
      db.insert(accounts).values(account),
      ...identity,
      ...(trap ? endUser(db, trap.user, base) : []),
    ]
  })
  if (trap) {
    const { id, tokenVersion } = trap.user
    await destroyUserKey(base, { ...trap.user, tokenVersion: tokenVersion + 1 })
    await sendJobs(base.env, [{ type: 'user.delete', tenantId: tenant.id, userId: id }])
  }
  return made
}
