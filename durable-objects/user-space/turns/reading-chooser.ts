import { prepareChoosing } from '../../../src/chat/choose-reading'
import type { TurnPorts } from '../../../src/chat/run-turn'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import type { TurnCalls } from './turn-calls'

/** Asks the turn's model what a question may be about. Without quota or answer nothing: the rule stands. */
export function createChooser(
  model: ResolvedModel,
  nonce: string,
  calls: TurnCalls,
  log: ReturnType<typeof createLog>,
): TurnPorts['choose'] {
  return async (choice) => {
    try {
      const call = prepareChoosing(model, choice, nonce)
      return (await calls.make('chat', model.name, call))?.value ?? null
    } catch (error) {
      log.error('choosing_failed', error)
      return null
    }
  }
}
