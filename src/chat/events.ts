import type { FinishReason } from '../config/names'
import type { ShownStoryline } from '../storylines/show'
import type { Clarify, Form } from '../storylines/speak'
import type { CallToAction } from './cta'
import type { ResearchStage } from './research'

/** A source as the reply cites it (contract section 6). Fields after `distance` are subject to `public_sources`. */
export interface Source {
  document_id: string
  distance: number
  n?: number
  chunk_id?: string
  title?: string
  heading?: string | null
  url?: string | null
  page?: number | null
  quote?: string | null
  start?: number | null
  end?: number | null
  /** Every place of the passage, and the sentences of the reply that rest on it. */
  quotes?: {
    quote: string
    start: number
    end: number
    sentences: { start: number; end: number }[]
  }[]
}

/** A document that came near to a question which found no answer. */
export interface Closest {
  document_id: string
  title: string
  heading: string | null
}

/** What a button shows and what it sends. */
export interface Chip {
  label: string
  value: string
}

export interface TurnUsage {
  model: string
  input_tokens: number
  output_tokens: number
  estimated: boolean
}

/** The whole answer of POST /chat and the last frame of a stream. */
export interface ChatResponse {
  session_id: string
  message_id: string
  agent: string
  reply: string
  sources: Source[]
  transcript: string | null
  suggestions: readonly string[]
  /** Skills that the reply speaks of; absent where there are none. */
  chips?: readonly Chip[]
  /** With a no-match answer and public sources, else empty. */
  closest: Closest[]
  finish_reason: FinishReason
  usage: TurnUsage
  /** What the storyline of this turn shows and asks; absent where there is none. */
  storyline?: ShownStoryline
  clarify?: Clarify
  form?: Form
  /** At most one in five turns. */
  cta?: CallToAction
}

export type StreamErrorCode = 'upstream' | 'unavailable' | 'internal' | 'interrupted'

/** What a turn tells its listeners, in the frames of contract section 6. */
export type TurnEvent =
  | { type: 'session'; session_id: string; message_id: string; agent: string }
  | { type: 'transcript'; text: string }
  | { type: 'status'; stage: 'retrieving' | 'answering' | 'checking' }
  | ResearchStage
  | { type: 'reasoning'; text: string }
  | { type: 'tool'; id: string; name: string; state: 'running' | 'done' | 'failed' }
  | { type: 'token'; text: string }
  | { type: 'replace'; text: string }
  | ({ type: 'clarify' } & Clarify)
  | ({ type: 'form' } & Form)
  | ({ type: 'storyline' } & ShownStoryline)
  | ({ type: 'cta' } & CallToAction)
  | { type: 'suggestions'; suggestions: readonly string[]; chips: readonly Chip[] }
  | { type: 'sources'; sources: Source[] }
  | { type: 'done'; response: ChatResponse }
  | { type: 'error'; code: StreamErrorCode; detail: string; retryable: boolean }

/** One server-sent event. JSON has no raw line breaks, so one data line is enough. */
export function encodeEvent(id: number, event: TurnEvent): string {
  if (event.type === 'done')
    return `id: ${id}\nevent: done\ndata: ${JSON.stringify(event.response)}\n\n`
  const { type, ...data } = event
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Events of one kind between two growths of the text share its number of characters. */
const ID_STEP = 4096

/**
 * Ids that rise and tell how much text came before: `characters sent × 4096 + number of the event`. So a listener that
 * comes back after the object was restarted still gets exactly what it lacks.
 */
export function nextEventId(last: number, sentChars: number): number {
  return Math.max(last + 1, sentChars * ID_STEP)
}

export function charsBefore(eventId: number): number {
  return Math.floor(eventId / ID_STEP)
}

/** An id for a rebuilt frame: after `last`, and after every id that a reply of that length can have had. */
export function eventIdAfter(last: number, replyChars: number): number {
  return Math.max(last + 1, (replyChars + 1) * ID_STEP)
}
