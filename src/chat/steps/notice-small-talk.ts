import { messageOf, type Step } from './step'

/** Thanks and greetings are answered without a search, and need no source. */
export const noticeSmallTalk: Step = (turn) => {
  turn.smallTalk = messageOf(turn).smallTalk
  return null
}
