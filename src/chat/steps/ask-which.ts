import type { Language } from '../../config/names'
import { loadAsking } from '../../lazy'
import { proseLanguage, sameLanguage } from '../../text/detect-language'
import { namesOneThing } from '../../text/names-one-thing'
import type { TurnPorts } from '../run-turn'
import type { Step, Turn } from './step'

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

function mayMeanSeveral(turn: Turn): boolean {
  if (turn.wasAskedBack || turn.context !== '' || turn.filledIn !== '') return false
  return !turn.storyline && turn.passages.length > 0 && namesOneThing(turn.question)
}

/** Guides in several languages say the same: who asks is shown what stands in theirs. */
function inLanguage({ passages, lang }: Turn): Turn['passages'] {
  const spoken = passages.map((passage) => ({ passage, in: proseLanguage(passage.text) }))
  const isOwn = spoken.some((one) => one.in === lang)
    ? (one: Language) => one === lang
    : (one: Language) => sameLanguage(one, lang)
  const own = spoken.filter((one) => one.in === null || isOwn(one.in))
  return own.length > 0 ? own.map(({ passage }) => passage) : passages
}

/** A base that changed meanwhile may not have the place any more: then all that was found counts. */
function keepPicked(turn: Turn, { documentId, heading }: NonNullable<Turn['picked']>): void {
  const own = turn.passages.filter(
    (one) => one.documentId === documentId && one.heading === heading,
  )
  if (own.length > 0) turn.passages = own.map((passage, at) => ({ ...passage, n: at + 1 }))
}
