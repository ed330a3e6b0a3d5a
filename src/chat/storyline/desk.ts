import type { Enrollment, EnrollmentHead } from '../../storylines/enrollment'
import type { NamedBase } from '../../storylines/find-bases'
import type { ToolResult } from '../../storylines/play'
import type { CountStep, StorylineRevision } from '../../storylines/records'
import type { Story, Tried } from '../../storylines/story-state'
import type { Judged } from './judge'

/** A revision, ready to run. */
export interface Playable {
  revision: StorylineRevision
  story: Story
}

/** What a turn did to an enrollment; it is committed with the reply. */
export interface EnrollmentChange {
  enrollment: Enrollment
  counts: readonly CountStep[]
  /** Why it went as it went; null where nothing ran. */
  log: StepLog | null
}

/** What a step is explained by, sealed: it holds quotes of the conversation. */
export interface StepLog {
  event: string
  moves: readonly { from: string; exit: string; to: string }[]
  tried: readonly Tried[]
  judged: readonly Judged[]
}

/** A session's place among the user's chats with the agent. */
export interface ChatPlace {
  firstMessage: boolean
  firstContact: boolean
}

/** Where enrollments are kept: the user's object, which alone writes them. */
export interface StorylineDesk {
  /**
   * The agent's enrollments that are open, or whose end holds, what spoke last first. Where there are any, no other turn,
   * timer or migration changes them until the turn's end.
   */
  open(): Promise<readonly Enrollment[]>
  /** As `open`, where there are none too: one is about to begin. */
  enter(): Promise<readonly Enrollment[]>
  /** Those that are over. */
  past(): readonly EnrollmentHead[]
  place(): ChatPlace
  /** @returns null when the revision is gone. Rejects when that cannot be known now: the turn fails, and moves nothing. */
  story(revisionId: string): Promise<Playable | null>
  /** Bases of the tenant that a node searches instead of its agent's. */
  bases(named: readonly NamedBase[]): Promise<{ id: string; name: string; instructions: string }[]>
  /** Makes a call once: repeated with the same words, it has the first one's result. */
  callOnce(
    enrollmentId: string,
    step: number,
    words: string,
    call: () => Promise<ToolResult>,
  ): Promise<ToolResult>
  newId(): string
  sessionId: string
}
