import { conditionsFor } from './conditions'
import type { StorylineRevision } from './records'
import { readSlots } from './slots'
import type { Story } from './story-state'

/** A frozen revision as the machine runs it: its slots read, its expressions compiled when they are first asked for. */
export function storyOf({
  graph,
  profileSchema,
  behaviour,
}: Pick<StorylineRevision, 'graph' | 'profileSchema' | 'behaviour'>): Story {
  const { slots } = readSlots(profileSchema)
  return { graph, slots, conditions: conditionsFor(slots), allowExit: behaviour.allowExit }
}
