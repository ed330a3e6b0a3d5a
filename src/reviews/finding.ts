import type { FeedbackReason, ReviewReason } from '../config/names'

/** What one reply gives to review, opened: in memory alone, on its way from the user's object to the tenant's reviews. */
export interface Finding {
  messageId: string
  /** Null where the session has gone on with another agent: its name leads to it. */
  agentId: string | null
  agentName: string
  reasons: ReviewReason[]
  question: string
  body: FindingBody
}

/** What the envelope beside the question holds. */
export interface FindingBody {
  answer: string
  /** Sentences that no source supported. */
  unsourced: string[]
  /** The source cited first. */
  source: {
    documentId: string
    title: string | null
    url: string | null
    text: string | null
  } | null
  /** What the user wrote with a thumb down. */
  comment: string | null
  feedbackReasons?: FeedbackReason[]
}
