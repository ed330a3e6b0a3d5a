import { invalid } from '../errors'
import type { BaseContext } from '../http/context'
import { listChatModels } from '../platform/models/chat-model'

/** For agents and skills alike; null leaves the choice to the tenant and the platform. @throws ApiError 422 naming the known ones. */
export function requireKnownModel(ctx: Pick<BaseContext, 'env'>, model: string | null): void {
  const known = listChatModels(ctx.env).map(({ id }) => id)
  if (model !== null && !known.includes(model))
    throw invalid(['body', 'model'], `unknown model; known are ${known.join(', ')}`)
}
