import { retrieveSafely } from '../retrieve'
import type { TurnPorts } from '../run-turn'
import { isMatched } from './require-match'
import { mustSearch } from './search-bases'
import type { Step } from './step'

/**
 * What looked like a follow-up may be a new question ("how much is it?", asked of the shop and not of the opening hours):
 * where nothing fits it together with the question before it, it is searched by itself, and stands alone if that fits.
 */
export const searchAlone =
  (ports: Pick<TurnPorts, 'search' | 'onInjection'>): Step =>
  async (turn) => {
    if (turn.context === '' || !mustSearch(turn) || turn.research) return null
    if (turn.results.length === 0 || isMatched(turn)) return null
    const { passages, results } = await retrieveSafely(ports, turn, turn.question)
    const alone = { ...turn, results, context: '' }
    if (isMatched(alone)) Object.assign(turn, { passages, results, context: '' })
    return null
  }
