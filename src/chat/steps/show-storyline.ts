import type { TurnEvent } from '../events'
import type { TurnOutcome } from '../run-turn'
import type { Addition } from './step'

/** What the storyline asks next comes behind the reply, with what a page shows of it. A reply that failed moves nothing. */
export const showStoryline: Addition = async function* (
  turn,
  outcome,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  const { storyline } = turn
  if (!storyline || outcome.finishReason === 'error') return outcome
  const { closing, clarify, form, shown } = storyline
  const rest = closing === '' ? '' : `\n\n${closing}`
  if (rest !== '') yield { type: 'token', text: rest }
  if (clarify) yield { type: 'clarify', ...clarify }
  if (form) yield { type: 'form', ...form }
  if (shown) yield { type: 'storyline', ...shown }
  const isOpenQuestion = storyline.topic !== null && outcome.finishReason === 'no_match'
  const own = isOpenQuestion ? 'stop' : outcome.finishReason
  const finishReason = storyline.finishReason === 'stop' ? own : storyline.finishReason
  return { ...outcome, reply: outcome.reply + rest, finishReason, storyline }
}
