import { invalid } from '../errors'
import type { TenantContext } from '../http/context'
import { listChatModels } from '../platform/models/chat-model'
import { openTenantModel } from '../tenants/byok'

/** For agents and skills alike; null leaves the choice to the tenant and the platform. @throws ApiError 422 naming the known ones. */
export async function requireKnownModel(
  ctx: Pick<TenantContext, 'env' | 'tenant'>,
  model: string | null,
): Promise<void> {
  if (model === null) return
  const known = listChatModels(ctx.env, await openTenantModel(ctx.env, ctx.tenant)).map(
    ({ id }) => id,
  )
  if (!known.includes(model))
    throw invalid(['body', 'model'], `unknown model; known are ${known.join(', ')}`)
}
