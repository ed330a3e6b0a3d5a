import { findContext } from '../../text/question'
import type { Step } from './step'

/** A follow-up ("and on Sundays?") is searched and judged together with the question before it. */
export const findWhatItLeansOn: Step = (turn) => {
  if (!turn.smallTalk && turn.filledIn === '' && !turn.picked)
    turn.context = findContext(turn.request.message, turn.history)
  return null
}
