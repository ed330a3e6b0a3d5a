import type { CallToAction } from '../cta'
import type { TurnEvent } from '../events'
import type { TurnOutcome } from '../run-turn'
import type { SuggestedFrom } from '../suggest'
import type { Addition, Step, Turn } from './step'
import { inTime } from './suggest'

export interface CtaPorts {
  /** Whether the session may be shown one now: the last is four turns back, none was dismissed. */
  mayCall(): boolean
  /** What the user may do next; null where nothing fits. Never throws. */
  callToAction(from: SuggestedFrom): Promise<CallToAction | null>
}

/** A call to action is thought of beside the answer, as what may be asked next is. */
export const thinkOfCall =
  (ports: CtaPorts): Step =>
  (turn) => {
    if (calls(turn) && ports.mayCall())
      turn.call = turn.begun.promise.then(() => ports.callToAction(turn))
    return null
  }

/** Where a caller brings its own history, nobody knows how many turns there were. */
const calls = ({ request, smallTalk, storyline }: Turn): boolean =>
  request.agent.config.proactive_cta && request.history === null && !smallTalk && !storyline

/** Behind an answer that satisfied: one that is whole, rests on a source where the agent has any, and asks nothing itself. */
export const showCall = (ports: CtaPorts): Addition =>
  async function* (turn, outcome): AsyncGenerator<TurnEvent, TurnOutcome> {
    const { finishReason, cited, clarify } = outcome
    const rests = turn.request.agent.bases.length === 0 || cited.length > 0
    if (finishReason !== 'stop' || !rests || clarify || turn.asked) return outcome
    const cta = turn.call && (await inTime(turn, turn.call, null))
    if (!cta || !ports.mayCall()) return outcome
    yield { type: 'cta', ...cta }
    return { ...outcome, cta }
  }
