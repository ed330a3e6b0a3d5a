import type { EnrollmentStatus, StorylineCount, StorylineWord } from '../config/names'
import type { Graph } from './graph'

/** How a storyline behaves, as a revision freezes it: a word that is not known has become the default. */
export interface Behaviour {
  key: string
  name: string
  displayName: string
  description: string
  entry: StorylineWord<'entry'>
  trigger: StorylineWord<'enroll_trigger'>
  visibility: StorylineWord<'user_visibility'>
  onComplete: StorylineWord<'on_complete'>
  concurrency: StorylineWord<'concurrency'>
  allowExit: boolean
  showProfile: boolean
  allowAgentEnroll: boolean
  nextStorylineId: string | null
  /** Absent in what was published before they were kept: there names alone count. */
  ids?: NamedIds
}

/** The ids behind the names in a graph, as publishing found them: what is renamed later, and who takes a name then, changes nothing. */
export interface NamedIds {
  bases: Readonly<Record<string, string>>
  servers: Readonly<Record<string, string>>
}

/**
 * A published storyline as the turns of its agent know it: all that decides whether it starts. Its graph is read by
 * `revision(revisionId)` once it matters.
 */
export interface LiveStoryline extends Omit<Behaviour, 'ids'> {
  id: string
  revisionId: string
  /** Starts before others that may; these two act at once, without publishing. */
  isDefault: boolean
  position: number
  /** Of the frozen graph: when an automatic start is considered, and messages that mean it. */
  start: { when: string | null; examples: readonly string[]; offerCooldownDays: number }
}

/** What an enrollment runs on, for good. */
export interface StorylineRevision {
  id: string
  storylineId: string
  version: number
  /** Format 1, whatever shape it was written in. */
  graph: Graph
  /** Every slot that the graph uses is declared. */
  profileSchema: Record<string, unknown>
  behaviour: Behaviour
  createdAt: number
}

/** So much more of one thing at a node. */
export interface CountStep {
  node: string
  kind: StorylineCount
  /** The exit (`global:<id>`, `user_exit`, `migrate`), the class of `durationClass`, or ''. */
  name: string
  n: number
}

/**
 * What a user's object tells of an enrollment: where it stands now, and what came to its counts since the last report.
 * `enrollments.ts` takes each report once: number `n` after `n - 1`, never again.
 */
export interface EnrollmentReport {
  tenantId: string
  id: string
  storylineId: string
  revisionId: string
  userId: string
  spaceId: string
  node: string
  status: EnrollmentStatus
  enteredNodeAt: number
  lastTurnAt: number
  createdAt: number
  updatedAt: number
  /** 1 for the first. */
  n: number
  counts: readonly CountStep[]
}
