import { LANGUAGES } from '../../config/names'
import { loadAsking } from '../../lazy'
import { storyWord } from '../../storylines/words'
import { asksForPerson } from '../../text/asks-for-person'
import type { TurnPorts } from '../run-turn'
import type { Step, Turn } from './step'

const HANDOFF_TOOL = 'handoff'

export const mayHandOff = ({ request: { agent } }: Pick<Turn, 'request'>): boolean =>
  agent.config.tools.includes(HANDOFF_TOOL)

/** Who asks an agent that may hand over for a person, and for nothing else, gets one asked without a model. */
export const askForPerson: Step = async (turn) => {
  if (!mayHandOff(turn) || !asksForPerson(turn.request.message)) return null
  const { handoffWord } = await loadAsking()
  turn.handoff = { reason: 'user', lines: [], notify: [], isTold: true }
  return { reply: handoffWord('asked', turn.lang), finishReason: 'handoff' }
}

/** A person who was offered and is not wanted: the agent goes on. */
export const declinePerson =
  ({ handoff }: Pick<TurnPorts, 'handoff'>): Step =>
  async ({ request, lang }) =>
    handoff.misses === null && (await isNo(request.message))
      ? { reply: storyWord('declined', lang), finishReason: 'stop' }
      : null

async function isNo(message: string): Promise<boolean> {
  const { handoffWord } = await loadAsking()
  return LANGUAGES.some((lang) => handoffWord('no_need', lang) === message.trim())
}
