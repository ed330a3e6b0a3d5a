import { prepareRewriting } from '../../../src/chat/rewrite-question'
import type { TurnPorts } from '../../../src/chat/run-turn'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import type { TurnCalls } from './turn-calls'

/** Asks the turn's model what a follow-up asks. Without quota or answer nothing: the rule stands. */
export function createRewriter(
  model: ResolvedModel,
  nonce: string,
  calls: TurnCalls,
  log: ReturnType<typeof createLog>,
): TurnPorts['rewrite'] {
  return async (message, history) => {
    try {
      const call = prepareRewriting(model, message, history, nonce)
      return (await calls.make('chat', model.name, call))?.value ?? null
    } catch (error) {
      log.error('rewriting_failed', error)
      return null
    }
  }
}
