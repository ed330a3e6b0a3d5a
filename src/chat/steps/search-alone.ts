import { retrieveSafely, searchQuery } from '../retrieve'
import type { TurnPorts } from '../run-turn'
import { isMatched } from './require-match'
import { mustSearch } from './search-bases'
import { messageOf, type Step } from './step'

/**
 * Where nothing fits a message as it was searched, it is searched as it stands. What looked like a follow-up may be a new question
 * ("how much is it?", asked of the shop and not of the opening hours), and stands alone if that fits; a question whose subject
 * was told before it finds nothing without that.
 */
export const searchAlone =
  (ports: Pick<TurnPorts, 'search' | 'onInjection'>): Step =>
  async (turn) => {
    if (!mustSearch(turn) || turn.research) return null
    if (turn.results.length === 0 || isMatched(turn)) return null
    const { question, context } = turn
    if (searchQuery(messageOf(turn, question), context) === question.trim()) return null
    const { passages, results, failed } = await retrieveSafely(ports, turn, question.trim())
    turn.searchFailed ||= failed
    if (isMatched({ ...turn, results, context: '' }))
      Object.assign(turn, { passages, results, context: '' })
    return null
  }
