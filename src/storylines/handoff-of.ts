import type { HandoffRequest } from '../handoffs/handoff'
import { shownValue } from './speak'
import type { Ran, Story } from './story-state'

/** The person that a storyline asked for on its way, with all that was noted; null where it asked for nobody. */
export function handoffOf(story: Story, { effects, state }: Ran): HandoffRequest | null {
  const handoff = effects.findLast((effect) => effect.type === 'handoff')
  if (!handoff) return null
  const lines = [...story.slots.values()].flatMap((slot) => {
    const value = state.profile[slot.key]
    return value === undefined ? [] : [`${slot.title}: ${shownValue(slot, value, 'en')}`]
  })
  const isTold = story.graph.nodes[handoff.node]?.say !== undefined
  return { reason: 'storyline', lines, notify: handoff.notify, isTold }
}
