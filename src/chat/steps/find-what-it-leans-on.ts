import { messageOf, type Step } from './step'

/**
 * A follow-up ("and on Sundays?") is searched and judged together with the question before it; what wants an answer in another
 * form ("shorter, please") as the question that was answered.
 */
export const findWhatItLeansOn: Step = (turn) => {
  if (turn.smallTalk || turn.filledIn !== '' || turn.picked || turn.confirmed) return null
  const { about } = messageOf(turn)
  turn.question = about.message
  turn.context = about.context
  return null
}
