import { prepareRewriting } from '../../../src/chat/rewrite-question'
import type { TurnPorts } from '../../../src/chat/run-turn'
import type { TurnRequest } from '../../../src/chat/turn'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import { meterCall } from '../../../src/usage/meter-call'

/** Asks the turn's model what a follow-up asks. Without quota or answer nothing: the rule stands. */
export function createRewriter(
  env: Env,
  { request, messageId, nonce }: { request: TurnRequest; messageId: string; nonce: string },
  model: ResolvedModel,
  log: ReturnType<typeof createLog>,
): TurnPorts['rewrite'] {
  const { tenantId, userId, spaceId } = request.caller.address
  return async (message, history) => {
    try {
      const { tokens, run } = prepareRewriting(model, message, history, nonce)
      const id = `${messageId}:rewrite`
      const call = { id, agentId: request.agent.id, userId, spaceId, kind: 'chat' as const }
      const tenant = { id: tenantId, monthlyTokenCeiling: request.ceiling }
      return await meterCall(env, tenant, call, tokens, async () => {
        const { question, usage } = await run()
        return { value: question, model: model.name, ...usage }
      })
    } catch (error) {
      log.error('rewriting_failed', error)
      return null
    }
  }
}
