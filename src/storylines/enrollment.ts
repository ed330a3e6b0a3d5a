import type { EnrollmentStatus, Language } from '../config/names'
import type { CountStep } from './records'
import type { StoryState } from './story-state'

/** One person's way through a storyline, as their object keeps it. What is in `kept` is sealed. */
export interface Enrollment {
  id: string
  storylineId: string
  /** What it began with, for good; only a migration changes it. */
  revisionId: string
  agentId: string
  status: EnrollmentStatus
  /** The enrollment that interrupts this one; it goes on once that has ended. */
  pausedBy: string | null
  node: string
  /** Where it last spoke. */
  sessionId: string
  /** When the time of a wait, or of an offer, is up. */
  dueAt: number | null
  /** Its last node's instructions stay in force after its end. */
  holds: boolean
  /** Reports made so far. */
  reports: number
  enteredNodeAt: number
  lastTurnAt: number
  createdAt: number
  updatedAt: number
  kept: KeptState
}

export interface KeptState {
  state: StoryState
  /** The slots that the user was shown last: one that stands alone is answered by a bare value. */
  asked: readonly string[]
  /** Of the conversation, once a message showed one. */
  lang: Language | null
  /** The milestone that was reached last. */
  milestone: string | null
  /** The order of its tenant that last moved it, and the slots that it dropped: an order moves nobody twice. */
  order?: DoneOrder
}

export interface DoneOrder {
  id: string
  dropped: readonly string[]
  /** What was before it, until something else changes: the number of its report, the row, and what it counted. */
  undo?: {
    report: number
    head: Pick<
      Enrollment,
      'status' | 'pausedBy' | 'node' | 'revisionId' | 'dueAt' | 'holds' | 'enteredNodeAt'
    >
    kept: Omit<KeptState, 'order'>
    counts: readonly CountStep[]
  }
}

/** What is known of an enrollment without its user's key. */
export type EnrollmentHead = Omit<Enrollment, 'kept'>

export const isOpen = ({ status }: Pick<Enrollment, 'status'>): boolean =>
  status === 'offered' || status === 'active' || status === 'paused'
