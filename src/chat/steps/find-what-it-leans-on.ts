import { messageOf, type Step } from './step'

/** A follow-up ("and on Sundays?") is searched and judged together with the question before it. */
export const findWhatItLeansOn: Step = (turn) => {
  if (!turn.smallTalk && turn.filledIn === '' && !turn.picked && !turn.confirmed)
    turn.context = messageOf(turn).context
  return null
}
