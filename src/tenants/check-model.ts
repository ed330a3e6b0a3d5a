import type { TenantContext } from '../context'
import { invalid } from '../errors'
import { listChatModels } from '../models/chat-model'
import { openTenantModel } from './byok'

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
