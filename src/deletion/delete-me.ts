import type { UserContext } from '../context'
import { conflict, forbidden } from '../errors'
import type { DeleteMeIn } from '../users/account-fields'
import { findAccountOf } from '../users/find-account'
import { requirePassword } from '../users/own-account'
import { deleteUser } from './delete-user'

/**
 * Deletes the caller and all that is theirs. @param input.confirm the user's own id.
 * @throws conflict for another id; ApiError 422 for a wrong password; forbidden for a proxy tenant's user without the tenant's key.
 */
export async function deleteMe(ctx: UserContext, input: DeleteMeIn): Promise<void> {
  if (ctx.user.source === 'proxy' && !ctx.byKey)
    throw forbidden('The tenant deletes the people that it vouches for')
  if (input.confirm !== ctx.user.id)
    throw conflict('Not confirmed: say your own user id', 'not_confirmed')
  const known = await findAccountOf(ctx.db, ctx.tenant.id, ctx.user.id)
  if (known && known.account.password !== null)
    await requirePassword(ctx, known, input.password ?? '', 'password')
  await deleteUser(ctx, ctx.user.id)
}
