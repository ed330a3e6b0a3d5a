import { closestTo } from '../closest'
import type { Addition } from './step'

/** A no-match answer is no dead end: the documents that came nearest come with it. */
export const offerClosest: Addition = (turn, outcome) =>
  outcome.finishReason === 'no_match'
    ? { ...outcome, closest: closestTo(turn.passages, turn.question) }
    : outcome
