import { loadAsking } from '../../lazy'
import type { TurnPorts } from '../run-turn'
import type { Step } from './step'

/** While a person is asked for, the agent is silent: the message is kept for them, and the user is told so. */
export const waitForPerson =
  ({ handoff }: Pick<TurnPorts, 'handoff'>): Step =>
  async ({ lang }) => {
    if (handoff.open === null) return null
    const { handoffWord } = await loadAsking()
    const word = handoff.open === 'answered' ? 'answered' : 'waiting'
    return { reply: handoffWord(word, lang), finishReason: 'handoff' }
  }
