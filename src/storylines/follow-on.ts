import type { DoneOrder, Enrollment } from './enrollment'
import { newState } from './machine'
import { fitting } from './migrate'
import type { StorylineRevision } from './records'
import type { Story } from './story-state'

/**
 * The storyline that follows one which ended outside a turn, with the slots that both have. Its user enters it with their
 * next message, or the clock does when it is due. Pure.
 */
export function followOn(
  ended: Pick<Enrollment, 'agentId' | 'sessionId' | 'kept'>,
  { story, revision }: { story: Story; revision: Pick<StorylineRevision, 'id' | 'storylineId'> },
  { id, now, dueAt, order }: { id: string; now: number; dueAt: number | null; order?: DoneOrder },
): Enrollment {
  const state = newState(story, now)
  const { node } = state
  const isWait = story.graph.nodes[node]?.type === 'wait'
  return {
    id,
    storylineId: revision.storylineId,
    revisionId: revision.id,
    agentId: ended.agentId,
    status: 'active',
    pausedBy: null,
    node,
    sessionId: ended.sessionId,
    dueAt: isWait ? now : dueAt,
    holds: false,
    reports: 0,
    enteredNodeAt: now,
    lastTurnAt: now,
    createdAt: now,
    updatedAt: now,
    kept: {
      state: {
        ...state,
        profile: { ...state.profile, ...fitting(ended.kept.state.profile, story).profile },
        pending: 'entry',
        visits: { [node]: 1 },
      },
      asked: [],
      lang: ended.kept.lang,
      milestone: null,
      ...(order ? { order } : {}),
    },
  }
}
