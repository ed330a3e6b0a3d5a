import { LIMITS } from '../../config/limits'
import { holdsWord } from '../../text/find-words'
import type { Chip } from '../events'
import type { Addition } from './step'

const SEPARATORS = /[,，、،;；\n]/u

/** The chip of a skill follows an answer that holds one of the skill's words. */
export const followAnchors: Addition = (turn, outcome) => {
  const { finishReason, reply } = outcome
  if (finishReason !== 'stop' && finishReason !== 'length') return outcome
  const chips = turn.request.agent.skills
    .filter(({ menu_anchors }) =>
      (menu_anchors ?? '').split(SEPARATORS).some((word) => holdsWord(reply, word)),
    )
    .map(({ name, menu_label, menu_prompt }): Chip => {
      const label = menu_label || name
      return { label, value: menu_prompt || label }
    })
    .slice(0, LIMITS.suggestions)
  return chips.length === 0 ? outcome : { ...outcome, chips }
}
