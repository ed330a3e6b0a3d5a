import type { TurnEvent } from '../events'
import { retrieveSafely, searchQuery } from '../retrieve'
import type { TurnPorts } from '../run-turn'
import { type Exit, messageOf, type Step, type Turn } from './step'

/** Whether the answer rests on a search that is made before the model is called. */
export const mustSearch = (turn: Turn): boolean =>
  !turn.onDemand && !turn.smallTalk && turn.request.message.trim() !== ''

/** Finds the passages that the model is shown. */
export const searchBases = (ports: Pick<TurnPorts, 'search' | 'onInjection'>): Step =>
  async function* (turn): AsyncGenerator<TurnEvent, Exit | null> {
    const { agent } = turn.request
    if (!mustSearch(turn) || agent.bases.length === 0 || turn.research) return null
    yield { type: 'status', stage: 'retrieving' }
    const query = searchQuery(messageOf(turn, turn.question), turn.context)
    const { passages, results, failed } = await retrieveSafely(ports, turn, query)
    Object.assign(turn, { passages, results, searchFailed: failed })
    return null
  }
