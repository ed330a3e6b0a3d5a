import { and, eq, isNull } from 'drizzle-orm'
import type { UserContext } from '../context'
import { accounts } from '../db/tables/users'
import { sendJobs } from '../platform/queue'
import { findVisitor } from './find-visitor'

/**
 * What was remembered of an anonymous visitor goes over to the caller, in the background: after a sign-in that could not
 * bring the visitor's token along, as one at a provider. @throws badRequest for a token that is not a visitor's of this tenant.
 */
export async function carryVisitor(ctx: UserContext, token: string): Promise<void> {
  const { db, env, tenant, user, space } = ctx
  const visitor = await findVisitor(ctx, tenant.id, token)
  if (visitor.userId === user.id) return
  await db
    .update(accounts)
    .set({ visitorId: visitor.userId })
    .where(
      and(
        eq(accounts.tenantId, tenant.id),
        eq(accounts.userId, user.id),
        isNull(accounts.visitorId),
      ),
    )
  const to = { userId: user.id, spaceId: space.id, tag: space.tag }
  await sendJobs(env, [{ type: 'remembered.carry', tenantId: tenant.id, from: visitor, to }])
}
