import { prepareChoosing } from '../../../src/chat/choose-reading'
import type { TurnPorts } from '../../../src/chat/run-turn'
import type { TurnRequest } from '../../../src/chat/turn'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import { meterCall } from '../../../src/usage/meter-call'

/** Asks the turn's model what a question may be about. Without quota or answer nothing: the rule stands. */
export function createChooser(
  env: Env,
  { request, messageId, nonce }: { request: TurnRequest; messageId: string; nonce: string },
  model: ResolvedModel,
  log: ReturnType<typeof createLog>,
): TurnPorts['choose'] {
  const { tenantId, userId, spaceId } = request.caller.address
  return async (choice) => {
    try {
      const { tokens, run } = prepareChoosing(model, choice, nonce)
      const id = `${messageId}:choose`
      const call = { id, agentId: request.agent.id, userId, spaceId, kind: 'chat' as const }
      const tenant = { id: tenantId, monthlyTokenCeiling: request.ceiling }
      return await meterCall(env, tenant, call, tokens, async () => {
        const { readings, usage } = await run()
        return { value: readings, model: model.name, ...usage }
      })
    } catch (error) {
      log.error('choosing_failed', error)
      return null
    }
  }
}
