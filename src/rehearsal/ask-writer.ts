import { prepareShortCall } from '../chat/short-call'
import type { UsageKind } from '../config/names'
import type { TenantContext } from '../context'
import { ApiError, upstreamFailed } from '../errors'
import type { ResolvedModel } from '../models/chat-model'
import { meterCall } from '../usage/meter-call'

/** What a model is to write for a tenant, and what that may cost. */
export interface WritingOrder {
  agentId: string
  kind: UsageKind
  order: string
  prompt: string
  maxTokens: number
  deadlineMs: number
}

/** @throws ApiError 503 `model_required` where there is none, or one that only quotes. */
export function requireWriter(model: ResolvedModel | null): ResolvedModel {
  if (model?.info.reads === 'prompt') return model
  throw new ApiError('unavailable', 'Drafting needs a model that writes: set one up', {
    publicCode: 'model_required',
  })
}

/** One call, reserved and metered. @throws quotaExceeded; ApiError 502 when the provider fails. */
export async function askWriter(
  ctx: TenantContext,
  model: ResolvedModel,
  { agentId, kind, ...wanted }: WritingOrder,
): Promise<string> {
  const { tokens, run } = prepareShortCall(model, wanted)
  const call = { id: `draft:${crypto.randomUUID()}`, agentId, userId: '', kind }
  try {
    return await meterCall(ctx.env, ctx.tenant, call, tokens, async () => {
      const { text, usage } = await run()
      return { value: text, model: model.name, ...usage }
    })
  } catch (error) {
    throw error instanceof ApiError ? error : upstreamFailed(error)
  }
}
