import { handoffWord } from '../../handoffs/words'
import type { TurnPorts } from '../run-turn'
import type { Step } from './step'

/** While a person is asked for, the agent is silent: the message is kept for them, and the user is told so. */
export const waitForPerson =
  ({ handoff }: Pick<TurnPorts, 'handoff'>): Step =>
  ({ lang }) =>
    handoff.open === null
      ? null
      : {
          reply: handoffWord(handoff.open === 'answered' ? 'answered' : 'waiting', lang),
          finishReason: 'handoff',
        }
