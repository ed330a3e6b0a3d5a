import { loadAsking } from '../../lazy'
import { detectLanguage, sameLanguage } from '../../text/detect-language'
import { readQuestion } from '../../text/question'
import type { TurnPorts } from '../run-turn'
import type { Step, Turn } from './step'

/** A term of this weight names something. */
const NAMES = 0.8

/**
 * A message that names one thing of which the sources speak in several places is asked back, never twice running; what was
 * picked is answered from its place. A model that reads the same places has the last word.
 */
export const askWhich =
  ({ choose }: Pick<TurnPorts, 'choose'>): Step =>
  async (turn) => {
    if (turn.picked) keepPicked(turn, turn.picked)
    if (!turn.request.agent.config.ambiguity_check || !mayMeanSeveral(turn)) return null
    const { askWhich, findReadings } = await loadAsking()
    const { question, lang, passages } = turn
    const found = findReadings(inLanguage(turn))
    if (found.length === 0) return null
    const reads = turn.model.info.reads === 'prompt'
    const chosen = reads ? await choose({ question, readings: found, passages }) : null
    const asked = askWhich(chosen ?? found, { question, lang })
    if (asked === null) return null
    turn.asked = { ...asked, question: '' }
    return { reply: asked.question, finishReason: asked.finishReason }
  }

/** One word for a thing, and nothing else that tells what is asked of it. */
function mayMeanSeveral(turn: Turn): boolean {
  if (turn.wasAskedBack || turn.context !== '' || turn.filledIn !== '') return false
  if (turn.storyline || turn.passages.length === 0) return false
  const [clause, ...more] = readQuestion(turn.question)
  if (!clause || more.length > 0 || clause.kinds.size > 0) return false
  return clause.terms.length === 1 && clause.terms.every(({ weight }) => weight >= NAMES)
}

/** Guides in several languages say the same: who asks is shown what stands in theirs. */
function inLanguage({ passages, lang }: Turn): Turn['passages'] {
  const own = passages.filter(({ text }) => {
    const spoken = detectLanguage(text)
    return spoken === null || sameLanguage(spoken, lang)
  })
  return own.length > 0 ? own : passages
}

/** A base that changed meanwhile may not have the place any more: then all that was found counts. */
function keepPicked(turn: Turn, { documentId, heading }: NonNullable<Turn['picked']>): void {
  const own = turn.passages.filter(
    (one) => one.documentId === documentId && one.heading === heading,
  )
  if (own.length > 0) turn.passages = own.map((passage, at) => ({ ...passage, n: at + 1 }))
}
