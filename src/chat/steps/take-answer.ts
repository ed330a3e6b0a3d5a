import { loadAsking } from '../../lazy'
import { readValue } from '../../storylines/read-answer'
import { detectSmallTalk } from '../../text/small-talk'
import type { PendingCall, PendingForm, PendingReadings } from '../asking/asked'
import { FORM_TOOL, mayConfirm, mayEverUse } from '../offer-tools'
import { sanitize } from '../reply/spoken-reply'
import type { TurnPorts } from '../run-turn'
import { showsForms } from '../what-is-seen'
import type { Exit, Step, Turn } from './step'

/**
 * A message that answers what the reply before it asked. Whatever else it says, it is a message like any other: nothing that
 * is open holds a talk back. Nothing is read for an agent that asks nothing.
 */
export const takeAnswer =
  ({ pending }: Pick<TurnPorts, 'pending'>): Step =>
  async (turn) => {
    const { ambiguity_check } = turn.request.agent.config
    if (!ambiguity_check && !mayEverUse(turn, FORM_TOOL) && !mayConfirm(turn)) return null
    const open = await pending()
    switch (open?.kind) {
      case 'form':
        return takeForm(turn, open)
      case 'readings':
        return takePick(turn, open)
      case 'call':
        return takeWord(turn, open)
      default:
        return null
    }
  }

/** What was filled in goes on to the agent; what is still open is asked for without it. */
async function takeForm(turn: Turn, pending: PendingForm): Promise<Exit | null> {
  const { message, now, channel } = turn.request
  const { takeForm } = await loadAsking()
  const taken = takeForm(message, pending, { readValue, isElse }, now, showsForms(channel))
  if (taken === null) return null
  turn.lang = pending.lang
  if ('asked' in taken) {
    turn.asked = { ...taken.asked, question: '' }
    return { reply: sanitize(turn.request, taken.asked.question), finishReason: 'form' }
  }
  if (taken.lines === '') return null
  turn.request = { ...turn.request, message: taken.lines }
  turn.question = [pending.question, taken.lines].join('\n').trim()
  turn.filledIn = taken.lines
  return null
}

/** What was picked is answered as the question that it was picked for. */
async function takePick(turn: Turn, { readings, question, lang }: PendingReadings): Promise<null> {
  const { pickedOf } = await loadAsking()
  turn.wasAskedBack = true
  const picked = pickedOf(turn.request.message, readings)
  if (picked === null) return null
  const message = turn.model.info.reads === 'prompt' ? `${question} (${picked.label})` : question
  turn.lang = lang
  turn.picked = picked
  turn.question = question
  turn.request = { ...turn.request, message }
  return null
}

/** A call that waits is made or given up; whoever says something else, or nothing for long, has refused it. */
async function takeWord(turn: Turn, pending: PendingCall): Promise<Exit | null> {
  const { answerCall, refusedWord } = await loadAsking()
  const { message, now } = turn.request
  const isWanted = answerCall(message, pending, now)
  if (isWanted === null) return null
  turn.lang = pending.lang
  if (!isWanted) return { reply: refusedWord(pending.lang), finishReason: 'stop' }
  turn.question = pending.question
  turn.confirmed = pending
  return null
}

const isElse = (message: string): boolean =>
  /[?？؟]\s*$/u.test(message) || detectSmallTalk(message) !== null
