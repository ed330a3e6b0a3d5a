import { prepareShortCall } from '../../../src/chat/short-call'
import type { ResearchPorts } from '../../../src/chat/steps/deep-research'
import type { TurnRequest } from '../../../src/chat/turn'
import { LIMITS } from '../../../src/config/limits'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import { fence } from '../../../src/text/fence'
import { meterCall } from '../../../src/usage/meter-call'

const MAX_TOKENS = 400
const DEADLINE_MS = 10_000

/** Asks the turn's model how a large question is looked up. Without quota or answer the rules do it. */
export function createResearchAsker(
  env: Env,
  { request, messageId, nonce }: { request: TurnRequest; messageId: string; nonce: string },
  model: ResolvedModel,
  log: ReturnType<typeof createLog>,
): ResearchPorts['askResearch'] {
  const { tenantId, userId, spaceId } = request.caller.address
  const tenant = { id: tenantId, monthlyTokenCeiling: request.ceiling }
  let calls = 0
  return async (order, parts) => {
    if (model.info.reads !== 'prompt') return null
    try {
      const data = Object.entries(parts).map(([label, text]) => ({ n: null, label, text }))
      const prompt = fence(data, nonce, LIMITS.messageLength)
      const limits = { maxTokens: MAX_TOKENS, deadlineMs: DEADLINE_MS }
      const { tokens, run } = prepareShortCall(model, { order, prompt, ...limits })
      const id = `${messageId}:research:${calls++}`
      const call = { id, agentId: request.agent.id, userId, spaceId, kind: 'research' as const }
      return await meterCall(env, tenant, call, tokens, async () => {
        const { text, usage } = await run()
        return { value: text, model: model.name, ...usage }
      })
    } catch (error) {
      log.error('research_call_failed', error)
      return null
    }
  }
}
