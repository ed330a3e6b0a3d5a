import { prepareSuggesting, type SuggestPorts } from '../../../src/chat/suggest'
import type { TurnRequest } from '../../../src/chat/turn'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import { meterCall } from '../../../src/usage/meter-call'

/** Asks the turn's model what the user may ask next. Without quota or answer nothing is suggested. */
export function createSuggester(
  env: Env,
  { request, messageId, nonce }: { request: TurnRequest; messageId: string; nonce: string },
  model: ResolvedModel,
  log: ReturnType<typeof createLog>,
): SuggestPorts['suggest'] {
  const { tenantId, userId, spaceId } = request.caller.address
  return async (from) => {
    try {
      const { tokens, run } = prepareSuggesting(model, from, nonce)
      const id = `${messageId}:suggest`
      const call = { id, agentId: request.agent.id, userId, spaceId, kind: 'suggest' as const }
      const tenant = { id: tenantId, monthlyTokenCeiling: request.ceiling }
      return await meterCall(env, tenant, call, tokens, async () => {
        const { suggestions, usage } = await run()
        return { value: suggestions, model: model.name, ...usage }
      })
    } catch (error) {
      log.error('suggesting_failed', error)
      return []
    }
  }
}
