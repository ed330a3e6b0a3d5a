import type { Frame, StorylineState } from '../../kit/turn/frames'
import { hearFrame, NEW_REPLY, type TurnReply } from '../../kit/turn/reply'

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

export interface ReplyEntry extends Versioned, TurnReply {
  kind: 'reply'
  key: string
  /** The message that the answer is asked for in the place of. */
  replaces?: string
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

export const newReply = (key: string, at: number): ReplyEntry => ({
  kind: 'reply',
  key,
  ...NEW_REPLY,
  problem: null,
  feedback: null,
  at,
})

/** What one frame makes of a reply. Frames that say nothing about the reply return it unchanged. */
export const applyFrame = (reply: ReplyEntry, frame: Frame): ReplyEntry =>
  frame.type === 'error'
    ? {
        ...reply,
        state: 'failed',
        finishReason: 'error',
        problem: errorProblem(frame, reply.messageId),
      }
    : hearFrame(reply, frame)

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
