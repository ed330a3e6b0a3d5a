import type {
  CallToAction,
  Closest,
  FormSpec,
  Frame,
  Option,
  Source,
  StorylineState,
  ToolState,
} from '../../kit/turn/frames'

/** A picture of the visitor's. The bytes live as long as the page; a reload keeps the name only. */
export interface OwnImage {
  name: string
  dataUrl: string | null
  /** Object URL for showing it. */
  preview: string | null
}

/** What is said in one place of the conversation: one of its versions is shown. */
interface Versioned {
  /** All of them by their ids, the oldest first; missing where there is but one, or the page does not know. */
  variants?: readonly string[]
}

export interface UserEntry extends Versioned {
  kind: 'user'
  key: string
  /** Missing until the page asked for it. */
  messageId?: string
  text: string
  images: readonly OwnImage[]
  /** A recording as a data URL, '' after a reload; the text is '' until it is known what was said. */
  audio?: string
  at: number
}

export type Problem =
  | { kind: 'connection' }
  | { kind: 'offline' }
  | { kind: 'quota' }
  | { kind: 'rate'; retryAt: number }
  | { kind: 'busy' }
  | { kind: 'gone' }
  | { kind: 'refused'; detail: string }
  | { kind: 'server'; requestId: string | null }

export interface ReplyEntry extends Versioned {
  kind: 'reply'
  key: string
  /** The message that the answer is asked for in the place of. */
  replaces?: string
  messageId: string | null
  /** waiting: nothing received yet; live: being written; the rest are ends. */
  state: 'waiting' | 'live' | 'done' | 'failed'
  text: string
  stage: string | null
  reasoning: string
  tools: readonly { id: string; name: string; state: ToolState }[]
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
  problem: Problem | null
  feedback: 'up' | 'down' | null
  at: number
}

/** A quiet line between messages. */
export interface NoteEntry {
  kind: 'note'
  key: string
  /** `earlier` is no line but says that there is more above it. */
  note: 'renewed' | 'carried' | 'unreadable' | 'earlier'
  /** Of `earlier`: the message before which more was said. */
  first?: string
}

/** Stands below what a visitor said before signing in. */
export const SIGNED_IN: NoteEntry = { kind: 'note', key: 'carried', note: 'carried' }

export type Entry = UserEntry | ReplyEntry | NoteEntry

export function newReply(key: string, at: number): ReplyEntry {
  return {
    kind: 'reply',
    key,
    messageId: null,
    state: 'waiting',
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
    problem: null,
    feedback: null,
    at,
  }
}

/** What one frame makes of a reply. Frames that say nothing about the reply return it unchanged. */
export function applyFrame(reply: ReplyEntry, frame: Frame): ReplyEntry {
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
    case 'error':
      return {
        ...reply,
        state: 'failed',
        finishReason: 'error',
        problem: errorProblem(frame, reply.messageId),
      }
    case 'transcript':
    case 'storyline':
      return reply
  }
}

export interface ChatState {
  entries: readonly Entry[]
  sessionId: string | null
  storyline: StorylineState | null
  /** idle: the composer may send; stopping: Stop was pressed and the end is awaited; leaving: the page starts anew. */
  turn: 'idle' | 'running' | 'stopping' | 'leaving'
  connection: 'ok' | 'lost'
  /** Another chat is being fetched. */
  loading: boolean
  /** Messages that wait for a connection, oldest first. */
  queue: readonly UserEntry[]
  /** What "New chat" put away, until the next message is sent. */
  previous: { entries: readonly Entry[]; sessionId: string | null } | null
}

export const EMPTY_CHAT: ChatState = {
  entries: [],
  sessionId: null,
  storyline: null,
  turn: 'idle',
  connection: 'ok',
  loading: false,
  queue: [],
  previous: null,
}

/** The log names a turn that failed by its message. */
function errorProblem(
  { code, detail }: { code: string; detail: string },
  messageId: string | null,
): Problem {
  if (/quota/i.test(code) || /quota/i.test(detail)) return { kind: 'quota' }
  return { kind: 'server', requestId: messageId }
}
