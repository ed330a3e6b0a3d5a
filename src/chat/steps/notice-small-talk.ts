import { detectSmallTalk } from '../../text/small-talk'
import type { Step } from './step'

/** Thanks and greetings are answered without a search, and need no source. */
export const noticeSmallTalk: Step = (turn) => {
  turn.smallTalk = detectSmallTalk(turn.request.message) !== null
  return null
}
