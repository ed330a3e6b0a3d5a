import { loadAsking } from '../../lazy'
import { optionOf } from '../../storylines/speak'
import type { TurnEvent } from '../events'
import type { TurnOutcome, TurnPorts } from '../run-turn'
import { mayHandOff } from './ask-for-person'
import type { Addition } from './step'

/** Answers in a row that found nothing, this one included, before a person is offered. */
const MISSES = 3

/** A person who was asked for is announced; who found nothing three times in a row is offered one, once. */
export const handOver = ({ handoff }: Pick<TurnPorts, 'handoff'>): Addition =>
  async function* (turn, outcome): AsyncGenerator<TurnEvent, TurnOutcome> {
    const { lang } = turn
    if (outcome.finishReason === 'error') return outcome
    if (turn.handoff) {
      const { handoffWord } = await loadAsking()
      const rest = turn.handoff.isTold
        ? ''
        : `${outcome.reply === '' ? '' : '\n\n'}${handoffWord('asked', lang)}`
      if (rest !== '') yield { type: 'token', text: rest }
      const reply = outcome.reply + rest
      return { ...outcome, reply, finishReason: 'handoff', handoff: turn.handoff }
    }
    if (outcome.finishReason !== 'no_match') return outcome
    if (!mayHandOff(turn) || handoff.misses === null || handoff.misses + 1 < MISSES) return outcome
    const { handoffWord } = await loadAsking()
    const question = handoffWord('offer', lang)
    const options = (['ask_person', 'no_need'] as const).map((word) =>
      optionOf(handoffWord(word, lang)),
    )
    yield { type: 'token', text: `\n\n${question}` }
    yield { type: 'clarify', question, options }
    const reply = `${outcome.reply}\n\n${question}`
    return { ...outcome, reply, clarify: { question, options }, offeredPerson: true }
  }
