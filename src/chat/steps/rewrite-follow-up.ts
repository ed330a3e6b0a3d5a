import type { TurnPorts } from '../run-turn'
import { mustSearch } from './search-bases'
import type { Step } from './step'

/**
 * A follow-up is searched as the question that it is in its dialogue, where a model can say that: one short call. Without an
 * answer of use it stays together with the question before it.
 */
export const rewriteFollowUp =
  (ports: Pick<TurnPorts, 'rewrite'>): Step =>
  async (turn) => {
    const { message, agent } = turn.request
    const { reads } = turn.model.info
    if (turn.context === '' || reads !== 'prompt') return null
    if (!mustSearch(turn) || agent.bases.length === 0) return null
    const question = await ports.rewrite(message, turn.history)
    if (question === null) return null
    turn.question = question
    turn.context = ''
    return null
  }
