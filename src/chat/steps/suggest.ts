import { readGate } from '../../knowledge/gate'
import type { TurnEvent } from '../events'
import { retrieve } from '../retrieve'
import type { TurnOutcome, TurnPorts } from '../run-turn'
import { firstThree, headingsNear, type SuggestPorts } from '../suggest'
import type { Addition, Step, Turn } from './step'

type Ports = SuggestPorts & Pick<TurnPorts, 'search'>

/** Longer than this a finished answer does not wait for what may be asked next. */
const PATIENCE_MS = 400

/**
 * What may be asked next is thought of beside the answer, once the model has begun it: so it delays neither its first words
 * nor its end. Only what the agent's bases can answer is kept.
 */
export const thinkAhead =
  (ports: Ports): Step =>
  (turn) => {
    if (!suggests(turn) || turn.model.info.reads !== 'prompt') return null
    turn.suggested = turn.begun.promise
      .then(() => ports.suggest(turn))
      .then((questions) => keepAnswerable(ports, turn, questions))
    return null
  }

const suggests = (turn: Turn): boolean => turn.request.agent.config.auto_suggest && !turn.smallTalk

async function keepAnswerable(
  { search }: Ports,
  { request: { agent, k }, lang }: Turn,
  questions: readonly string[],
): Promise<string[]> {
  if (agent.bases.length === 0) return [...questions]
  const isOpen = await Promise.all(
    questions.map(async (question) => {
      const { results } = await retrieve(search, agent.bases, question, k, lang)
      return results.some((result) => readGate(question, result).open)
    }),
  )
  return questions.filter((_, at) => isOpen[at])
}

/**
 * Up to three follow-ups behind an answer: the model's, filled up with what stands beside the passages that the answer cites.
 * A reply that asks something itself, or found nothing, gets none.
 */
export const suggestNext: Addition = async (turn, outcome) => {
  const { finishReason, cited } = outcome
  if (!suggests(turn) || (finishReason !== 'stop' && finishReason !== 'length')) return outcome
  const written = await inTime(turn, turn.suggested, [])
  const headings = headingsNear(cited, turn.passages, turn.lang).filter((heading) =>
    turn.results.some((result) => readGate(heading, result, '', turn.readings).open),
  )
  const suggestions = firstThree([...written, ...headings], turn.request.message)
  return suggestions.length === 0 ? outcome : { ...outcome, suggestions }
}

/** What is offered below the reply: skills that it speaks of, and what may be asked next. */
export const showFollowUps: Addition = async function* (
  _turn,
  outcome,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  const { suggestions = [], chips = [] } = outcome
  if (suggestions.length + chips.length > 0) yield { type: 'suggestions', suggestions, chips }
  return outcome
}

/** What was thought of beside the answer, or `none` where it takes longer than a finished answer waits, in all. */
export async function inTime<T>(turn: Turn, thought: Promise<T>, none: T): Promise<T> {
  turn.waitsUntil ??= Date.now() + PATIENCE_MS
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(resolve, turn.waitsUntil - Date.now(), none)
  try {
    return await Promise.race([thought, promise])
  } finally {
    clearTimeout(timer)
  }
}
