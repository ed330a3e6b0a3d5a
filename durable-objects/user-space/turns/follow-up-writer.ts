import type { CtaPorts } from '../../../src/chat/steps/call-to-action'
import {
  prepareSuggesting,
  readSuggestions,
  type SuggestedFrom,
  type SuggestPorts,
  suggestOrder,
} from '../../../src/chat/suggest'
import type { TurnRequest } from '../../../src/chat/turn'
import { loadCta } from '../../../src/lazy'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import { meterCall } from '../../../src/usage/meter-call'

/** Asks the turn's model what the user may ask or do next. Without quota or answer nothing is suggested. */
export function createSuggester(
  env: Env,
  { request, messageId, nonce }: { request: TurnRequest; messageId: string; nonce: string },
  model: ResolvedModel,
  log: ReturnType<typeof createLog>,
): SuggestPorts & Pick<CtaPorts, 'callToAction'> {
  const { tenantId, userId, spaceId } = request.caller.address
  const tenant = { id: tenantId, monthlyTokenCeiling: request.ceiling }
  const ask = (id: string, order: string, from: SuggestedFrom): Promise<string> => {
    const { tokens, run } = prepareSuggesting(model, order, from, nonce)
    const call = { id, agentId: request.agent.id, userId, spaceId, kind: 'suggest' as const }
    return meterCall(env, tenant, call, tokens, async () => {
      const { text, usage } = await run()
      return { value: text, model: model.name, ...usage }
    })
  }
  const { suggest_prompt, cta_prompt } = request.agent.config
  return {
    suggest: async (from) => {
      try {
        return readSuggestions(
          await ask(`${messageId}:suggest`, suggestOrder(suggest_prompt), from),
        )
      } catch (error) {
        log.error('suggesting_failed', error)
        return []
      }
    },
    callToAction: async (from) => {
      try {
        const { ctaByRule, orderOf, readCta } = await loadCta()
        if (model.info.reads !== 'prompt') return ctaByRule(cta_prompt)
        return readCta(await ask(`${messageId}:cta`, orderOf(cta_prompt), from), cta_prompt)
      } catch (error) {
        log.error('call_to_action_failed', error)
        return null
      }
    },
  }
}
