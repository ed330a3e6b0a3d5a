import type { Language } from '../../config/names'
import type { Clarify, Form } from '../../storylines/speak'

/** A form that waits for its answers. */
export interface PendingForm {
  kind: 'form'
  form: Form
  /** By the names of its fields, as they are said; null where the user had nothing to say. */
  answers: Readonly<Record<string, string | null>>
  /** What was asked when the form came: it is searched with the answers. */
  question: string
  lang: Language
  /** Answers in a row that could not be read. */
  misses: number
  at: number
}

/** A part of a source that a question may be about. */
export interface Reading {
  /** What people see, and send when they pick it. */
  label: string
  documentId: string
  heading: string | null
}

/** Which of several things a question means. */
export interface PendingReadings {
  kind: 'readings'
  readings: readonly Reading[]
  question: string
  lang: Language
}

/** A call of a remote tool that its user is to confirm. */
export interface PendingCall {
  kind: 'call'
  /** `mcp:{server}/{tool}`. */
  reference: string
  /** The server that was meant, whatever it or another one is called by then. Missing in what was asked earlier. */
  serverId?: string
  args: Readonly<Record<string, unknown>>
  /** The call's idempotency id: however often it is confirmed, it is one call. */
  id: string
  question: string
  lang: Language
  at: number
}

/** What a reply waits for. It is sealed with the reply, and read when the next message comes. */
export type Pending = PendingForm | PendingReadings | PendingCall

/** What a turn asks of its user behind the reply. */
export interface Asked {
  /** Said behind the reply; '' where the reply says it. */
  question: string
  clarify: Clarify | null
  form: Form | null
  finishReason: 'form' | 'clarify'
  pending: Pending
}
