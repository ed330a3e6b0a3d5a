import type { TurnEvent } from '../events'
import { phrase } from '../phrases'
import { retrieveSafely, searchQuery } from '../retrieve'
import type { TurnPorts } from '../run-turn'
import { type Exit, messageOf, type Step, type Turn } from './step'

/** Whether the answer rests on a search that is made before the model is called. */
export const mustSearch = (turn: Turn): boolean =>
  !turn.onDemand && !turn.smallTalk && turn.request.message.trim() !== ''

/** Finds the passages that the model is shown. Says so where no base can answer now and only what they hold may be said. */
export const searchBases = (ports: Pick<TurnPorts, 'search' | 'onInjection'>): Step =>
  async function* (turn): AsyncGenerator<TurnEvent, Exit | null> {
    const { agent } = turn.request
    if (!mustSearch(turn) || agent.bases.length === 0 || turn.research) return null
    yield { type: 'status', stage: 'retrieving' }
    const query = searchQuery(messageOf(turn, turn.question), turn.context)
    const found = await retrieveSafely(ports, turn, query)
    if (found.failed && agent.config.grounding_required)
      return { reply: phrase('search_failed', turn.lang), finishReason: 'error' }
    turn.passages = found.passages
    turn.results = found.results
    return null
  }
