import type { EnrollmentStatus, Language } from '../config/names'
import type { Enrollment } from './enrollment'
import type { Behaviour } from './records'
import { shownValue } from './speak'
import type { Story } from './story-state'
import { storyWord } from './words'

/** What the user sees of where they are. */
export interface ShownStoryline {
  /** Of the enrollment. */
  id: string
  /** Null where it is not shown. */
  name: string | null
  status: EnrollmentStatus
  /** Title of the milestone that was reached last, where the storyline shows its progress. */
  node: string | null
  progress: { done: number; total: number } | null
  /** What to send to leave; null where that is not offered. */
  leave: string | null
  /** What was noted, where the storyline shows it. */
  noted: readonly { name: string; label: string; value: string }[]
}

/** @returns null where nothing of the storyline is to be seen. */
export function showStoryline(
  { id, status, kept }: Pick<Enrollment, 'id' | 'status' | 'kept'>,
  { graph, slots }: Story,
  { displayName, visibility, allowExit, showProfile }: Behaviour,
  lang: Language,
): ShownStoryline | null {
  const { profile, visits } = kept.state
  const noted = showProfile
    ? [...slots.values()].flatMap((slot) => {
        const value = profile[slot.key]
        if (!slot.shown || value === undefined) return []
        return [{ name: slot.key, label: slot.title, value: shownValue(slot, value, lang) }]
      })
    : []
  const hidden = visibility === 'hidden'
  if (hidden && noted.length === 0) return null
  const milestones = Object.entries(graph.nodes).filter(([, node]) => node.milestone === true)
  const seesProgress = visibility === 'progress' && milestones.length > 0
  const reached = milestones.filter(([key]) => (visits[key] ?? 0) > 0).length
  const last = kept.milestone === null ? undefined : graph.nodes[kept.milestone]
  return {
    id,
    name: hidden ? null : displayName,
    status,
    node: seesProgress ? (last?.title ?? null) : null,
    progress: seesProgress ? { done: reached, total: milestones.length } : null,
    leave: !hidden && allowExit && status === 'active' ? storyWord('leave', lang) : null,
    noted,
  }
}
