import { prepareJudging } from '../../../src/chat/storyline/judge'
import type { GuidePorts } from '../../../src/chat/storyline/scene'
import type { createLog } from '../../../src/log'
import type { ResolvedModel } from '../../../src/models/chat-model'
import type { TurnCalls } from './turn-calls'

/** An answer that is not what was asked for is asked for once more. */
const ATTEMPTS = 2

/** Asks the turn's model what a message says to a storyline. Without quota or answer nothing: what it would open stays closed. */
export function createJudge(
  model: ResolvedModel,
  calls: TurnCalls,
  log: ReturnType<typeof createLog>,
): GuidePorts['judge'] {
  return async (question) => {
    const call = prepareJudging(model, question)
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const judged = await calls.make('storyline', model.name, call)
        if (judged === null || judged.verdict) return judged?.verdict ?? null
      }
    } catch (error) {
      log.error('storyline_not_judged', error)
    }
    return null
  }
}
