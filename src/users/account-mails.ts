import type { BaseContext } from '../context'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { findAccount, indexEmail } from './find-account'
import { findNativeTenant } from './find-tenant'
import { limitAccount } from './limit-account'

/**
 * Asks for a link by mail. What is done and answered does not depend on whether the address has an account: one query, one
 * job, whose id of a user leads nowhere when there is none. The job makes the link, so the queue holds no secret.
 * @throws notFound, forbidden for the tenant; rateLimited.
 */
export async function requestAccountMail(
  base: BaseContext,
  purpose: 'verify' | 'reset',
  input: { tenant_id: string; email: string },
): Promise<void> {
  const tenant = await findNativeTenant(base, input.tenant_id)
  const index = await indexEmail(base, tenant, input.email)
  await limitAccount(base, purpose === 'verify' ? 'resend' : 'forgot', tenant.id, index)
  const known = await findAccount(base.db, tenant.id, index)
  await sendJobs(base.env, [
    {
      type: 'account.mail',
      id: newId(base.now),
      purpose,
      tenantId: tenant.id,
      userId: known?.user.id ?? newId(base.now),
    },
  ])
}
