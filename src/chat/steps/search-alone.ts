import { retrieveSafely, searchQuery } from '../retrieve'
import type { TurnPorts } from '../run-turn'
import { isMatched } from './require-match'
import { mustSearch } from './search-bases'
import { messageOf, type Step } from './step'

/**
 * Where nothing fits a message as it was searched, it is searched as it stands. What looked like a follow-up may be a new question
 * ("how much is it?", asked of the shop and not of the opening hours), and stands alone if that fits; a question whose subject
 * was told before it finds nothing without that. Behind a story that fits nothing, the question stands alone, too.
 */
export const searchAlone =
  (ports: Pick<TurnPorts, 'search' | 'onInjection'>): Step =>
  async (turn) => {
    if (!mustSearch(turn) || turn.research) return null
    if (turn.results.length === 0 || isMatched(turn)) return null
    const { question, context } = turn
    const known = messageOf(turn, question)
    const searched = searchQuery(known, context)
    for (const query of [question.trim(), known.askedInStory]) {
      if (query === '' || query === searched) continue
      const { passages, results, failed } = await retrieveSafely(ports, turn, query)
      turn.searchFailed ||= failed
      const alone = { question: query, passages, results, context: '' }
      if (!isMatched({ ...turn, ...alone })) continue
      Object.assign(turn, alone)
      return null
    }
    return null
  }
