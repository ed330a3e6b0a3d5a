import { prepareJudging } from '../../../src/chat/storyline/judge'
import type { GuidePorts } from '../../../src/chat/storyline/scene'
import type { TurnRequest } from '../../../src/chat/turn'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import { meterCall } from '../../../src/usage/meter-call'

/** An answer that is not what was asked for is asked for once more. */
const ATTEMPTS = 2

/** Asks the turn's model what a message says to a storyline. Without quota or answer nothing: what it would open stays closed. */
export function createJudge(
  env: Env,
  { request, messageId }: { request: TurnRequest; messageId: string },
  model: ResolvedModel,
  log: ReturnType<typeof createLog>,
): GuidePorts['judge'] {
  const { tenantId, userId, spaceId } = request.caller.address
  let calls = 0
  return async (question) => {
    const { tokens, run } = prepareJudging(model, question)
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const id = `${messageId}:storyline:${calls++}`
      const call = { id, agentId: request.agent.id, userId, spaceId, kind: 'storyline' as const }
      const tenant = { id: tenantId, monthlyTokenCeiling: request.ceiling }
      try {
        const verdict = await meterCall(env, tenant, call, tokens, async () => {
          const judged = await run()
          return { value: judged.verdict, model: model.name, ...judged.usage }
        })
        if (verdict !== null) return verdict
      } catch (error) {
        log.error('storyline_not_judged', error)
        return null
      }
    }
    return null
  }
}
