import type { TurnEvent } from '../events'
import { sanitize } from '../reply/spoken-reply'
import type { TurnOutcome } from '../run-turn'
import { listOptions } from '../what-is-seen'
import type { Addition } from './step'

/** What the turn asks of the user comes behind the reply. A storyline that asks, and a person who was asked for, go before. */
export const showAsked: Addition = async function* (
  turn,
  outcome,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  const { asked, storyline, handoff, request } = turn
  if (!asked || handoff || storyline?.clarify || storyline?.form) return outcome
  if (outcome.finishReason === 'error') return outcome
  const { question, clarify, form, finishReason, pending } = asked
  // A form says by itself what it is for.
  const isSaid = question === '' || (form !== null && outcome.reply.trim() !== '')
  const gap = outcome.reply === '' ? '' : '\n\n'
  const said = isSaid ? '' : gap + sanitize(request, question)
  const rest = said + listOptions(request.channel, clarify)
  if (rest !== '') yield { type: 'token', text: rest }
  if (clarify) yield { type: 'clarify', ...clarify }
  if (form) yield { type: 'form', ...form }
  return {
    ...outcome,
    reply: outcome.reply + rest,
    finishReason,
    pending,
    ...(clarify ? { clarify } : {}),
    ...(form ? { form } : {}),
  }
}
