import { prepareShortCall } from '../../../src/chat/short-call'
import type { ResearchPorts } from '../../../src/chat/steps/deep-research'
import { LIMITS } from '../../../src/config/limits'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import { fence } from '../../../src/text/fence'
import type { TurnCalls } from './turn-calls'

const MAX_TOKENS = 400
const DEADLINE_MS = 10_000

/** Asks the turn's model how a large question is looked up. Without quota or answer the rules do it. */
export function createResearchAsker(
  model: ResolvedModel,
  nonce: string,
  calls: TurnCalls,
  log: ReturnType<typeof createLog>,
): ResearchPorts['askResearch'] {
  return async (order, parts) => {
    if (model.info.reads !== 'prompt') return null
    try {
      const data = Object.entries(parts).map(([label, text]) => ({ n: null, label, text }))
      const prompt = fence(data, nonce, LIMITS.messageLength)
      const limits = { maxTokens: MAX_TOKENS, deadlineMs: DEADLINE_MS }
      const call = prepareShortCall(model, { order, prompt, ...limits })
      return (await calls.make('research', model.name, call))?.text ?? null
    } catch (error) {
      log.error('research_call_failed', error)
      return null
    }
  }
}
