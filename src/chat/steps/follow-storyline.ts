import type { AgentFacts } from '../../agents/resolve-agent'
import { storyWord } from '../../storylines/words'
import { guideTurn } from '../storyline/guide-turn'
import type { GuidePorts } from '../storyline/scene'
import type { StorylineTurn } from '../storyline/storyline-turn'
import type { Step, Turn } from './step'

/**
 * A storyline that the user is in, or that starts now, takes the message: it replies by itself, or leads what the agent
 * answers. Nothing is read for an agent without storylines, nor for a user whom several people share.
 */
export const followStoryline =
  (ports: GuidePorts): Step =>
  async (turn) => {
    const { agent, caller } = turn.request
    if (!agent.storylines?.length || caller.shared) return null
    const storyline = await guideTurn(ports, turn)
    if (!storyline) return null
    turn.storyline = storyline
    const { reply, finishReason } = storyline
    if (reply !== null) return { reply, finishReason }
    if (storyline.opening !== '') turn.preface += `${storyline.opening}\n\n`
    if (storyline.guide) await lead(ports, turn, storyline)
    return null
  }

/** The agent answers as the node has it: with its bases and tools, toward its goal. */
async function lead(
  ports: GuidePorts,
  turn: Turn,
  { bases, tools, topic }: StorylineTurn,
): Promise<void> {
  const { agent } = turn.request
  const led: AgentFacts = {
    ...agent,
    bases: bases === null ? agent.bases : await ports.storylines.bases(bases),
    config: tools === null ? agent.config : { ...agent.config, tools: [...tools] },
  }
  turn.request = { ...turn.request, agent: led }
  if (topic === null) return
  // Nothing was asked yet: what the node is about is searched.
  turn.question = topic
  turn.context = ''
  turn.smallTalk = false
  if (turn.model.info.reads === 'prompt') return
  const config = {
    ...led.config,
    no_match_reply: storyWord('go_on', turn.lang),
    translations: {},
  }
  turn.request = { ...turn.request, message: topic, agent: { ...led, config } }
}
