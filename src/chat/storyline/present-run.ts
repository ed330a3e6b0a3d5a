import type { Language } from '../../config/names'
import type { Enrollment } from '../../storylines/enrollment'
import { showStoryline } from '../../storylines/show'
import { type Spoken, shownValue, type Voice } from '../../storylines/speak'
import type { Ran, Story } from '../../storylines/story-state'
import { storyWord } from '../../storylines/words'
import type { Playable } from './desk'
import type { Scene } from './scene'
import { finishOf, reachOf, type StorylineTurn } from './storyline-turn'

/** The words and the parts of a page that one storyline's turn comes to. */
export function presentRun(
  scene: Scene,
  { said, question, clarify, form, converse, digression, handedOff }: Spoken,
  {
    enrollment,
    playable: { story, revision },
    ran,
    voice,
  }: { enrollment: Enrollment; playable: Playable; ran: Ran; voice: Voice },
): StorylineTurn {
  const { lang } = voice
  const shown = showStoryline(enrollment, story, revision.behaviour, lang)
  const open = { shown, clarify, form, finishReason: finishOf(handedOff, clarify, form) }
  if (converse !== null) {
    const node = story.graph.nodes[converse]
    const isNew = ran.effects.some(
      (effect) => effect.type === 'entered' && effect.node === converse,
    )
    return scene.told({
      ...open,
      opening: said.join('\n\n'),
      guide: {
        goal: node?.goal ?? '',
        instructions: node?.instructions ?? '',
        noted: notedLines(story, ran, node?.extract ?? [], lang),
      },
      ...reachOf(node, revision, scene.servers),
      topic: isNew ? (node?.goal ?? null) : null,
    })
  }
  const steers = story.graph.settings?.digression === 'steer'
  if (digression && !steers)
    return scene.told({ ...open, opening: said.join('\n\n'), closing: question })
  const lines = [...(digression ? [storyWord('steer', lang)] : said), question].filter(
    (line) => line !== '',
  )
  // Who writes while the storyline waits for something else is answered by the agent.
  if (lines.length === 0 && ran.state.status === 'active') return scene.told(open)
  const last = lines.length > 0 ? lines : [storyWord('done', lang)]
  return scene.told({ ...open, reply: last.join('\n\n') })
}

/** What is noted and may stand in this node's prompt: sensitive values only where the node uses them. */
function notedLines(
  story: Story,
  { state }: Ran,
  used: readonly string[],
  lang: Language,
): string[] {
  return Object.entries(state.profile).flatMap(([key, value]) => {
    const slot = story.slots.get(key)
    if (!slot || (slot.sensitive && !used.includes(key))) return []
    return [`${slot.title}: ${shownValue(slot, value, lang)}`]
  })
}
