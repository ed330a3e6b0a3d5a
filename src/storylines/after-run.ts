import type { Enrollment } from './enrollment'
import { milestoneOf } from './play'
import type { StorylineRevision } from './records'
import type { Spoken } from './speak'
import type { Ran, Story } from './story-state'

/** Where a run left an enrollment; `dueAt` is of a wait that it came to. */
export function afterRun(
  enrollment: Enrollment,
  { story, revision }: { story: Story; revision: StorylineRevision },
  ran: Ran,
  { asked }: Pick<Spoken, 'asked'>,
  now: number,
): Enrollment {
  const { state, effects } = ran
  const { kept } = enrollment
  const timer = effects.findLast((effect) => effect.type === 'timer')
  return {
    ...enrollment,
    status: state.status,
    node: state.node,
    holds: state.status === 'completed' && revision.behaviour.onComplete === 'hold',
    dueAt: state.status === 'active' && timer?.node === state.node ? timer.dueAt : null,
    enteredNodeAt: state.enteredAt,
    updatedAt: now,
    kept: { ...kept, state, asked, milestone: milestoneOf(story, ran) ?? kept.milestone },
  }
}
