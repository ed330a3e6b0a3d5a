import type { CallToAction, Closest, FormSpec, Frame, Option, Source, ToolState } from './frames'

/** What the frames of a turn come to, for whoever shows it. */
export interface TurnReply {
  /** waiting: nothing received yet; live: being written; the rest are ends. */
  state: 'waiting' | 'live' | 'done' | 'failed'
  messageId: string | null
  text: string
  stage: string | null
  reasoning: string
  tools: readonly { id: string; name: string; state: ToolState }[]
  /** Null until they are known. */
  sources: readonly Source[] | null
  /** Missing in what a browser kept of an earlier page. */
  closest?: readonly Closest[]
  /** Words alone in what an earlier page kept. */
  suggestions: readonly (Option | string)[]
  options: readonly Option[]
  /** The storyline that the options are about, where they start it or leave it; missing in what an earlier page kept. */
  offer?: string | null
  form: FormSpec | null
  cta: CallToAction | null
  finishReason: string | null
}

export const NEW_REPLY = {
  state: 'waiting',
  messageId: null,
  text: '',
  stage: null,
  reasoning: '',
  tools: [],
  sources: null,
  closest: [],
  suggestions: [],
  options: [],
  form: null,
  cta: null,
  finishReason: null,
} as const satisfies TurnReply

/** What one frame makes of a reply. What a frame says of anything else, its failure too, leaves it as it is. */
export function hearFrame<T extends TurnReply>(reply: T, frame: Frame): T {
  switch (frame.type) {
    case 'session':
      return { ...reply, messageId: frame.messageId }
    case 'status':
      return { ...reply, stage: frame.stage }
    case 'reasoning':
      return { ...reply, reasoning: reply.reasoning + frame.text }
    case 'tool': {
      const { id, name, state } = frame
      const known = reply.tools.some((tool) => tool.id === id)
      const tools = known
        ? reply.tools.map((tool) => (tool.id === id ? { id, name, state } : tool))
        : [...reply.tools, { id, name, state }]
      return { ...reply, tools }
    }
    case 'token':
      return { ...reply, state: 'live', text: reply.text + frame.text }
    case 'replace':
      return { ...reply, state: 'live', text: frame.text }
    case 'clarify': {
      // The question is the reply when the server did not also stream it.
      const text = reply.text === '' ? (frame.question ?? '') : reply.text
      return { ...reply, text, options: frame.options, offer: frame.offer }
    }
    case 'form':
      return { ...reply, form: frame.form }
    case 'cta':
      return { ...reply, cta: frame.cta }
    case 'suggestions':
      return { ...reply, suggestions: frame.suggestions }
    case 'sources':
      return { ...reply, sources: frame.sources }
    case 'done': {
      const { done } = frame
      return {
        ...reply,
        state: 'done',
        messageId: done.messageId ?? reply.messageId,
        text: done.reply ?? reply.text,
        sources: done.sources ?? reply.sources,
        closest: done.closest,
        suggestions: done.suggestions.length > 0 ? done.suggestions : reply.suggestions,
        finishReason: done.finishReason,
      }
    }
    case 'transcript':
    case 'storyline':
    case 'error':
      return reply
  }
}
