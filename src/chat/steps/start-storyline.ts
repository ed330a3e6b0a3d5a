import type { TurnEvent } from '../events'
import type { TurnOutcome } from '../run-turn'
import { startByAgent } from '../storyline/guide-turn'
import type { GuidePorts } from '../storyline/scene'
import type { Addition } from './step'

/** The storyline that the agent's tool asked for begins, or is offered, behind the agent's words. */
export const startStoryline = (ports: GuidePorts): Addition =>
  async function* (turn, outcome): AsyncGenerator<TurnEvent, TurnOutcome> {
    if (turn.start === null || outcome.finishReason === 'error') return outcome
    const begun = await startByAgent(ports, turn, turn.start)
    if (!begun) return outcome
    turn.storyline = begun
    const text = begun.reply ?? begun.opening
    if (text === '') return outcome
    const rest = outcome.reply === '' ? text : `\n\n${text}`
    yield { type: 'token', text: rest }
    return { ...outcome, reply: outcome.reply + rest }
  }
