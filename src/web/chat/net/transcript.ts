import { keepForNext, readStoredJson, takeFromLast, writeStored } from '../../kit/net/storage'
import type { ChatState, Entry, UserEntry } from '../model/chat'

/** What a reload brings back of the current chat. `pending` is the reply that was still being written. */
export interface StoredChat {
  /** Who was signed in; null for a visitor, undefined where nobody noted it. */
  userId?: string | null | undefined
  sessionId: string | null
  entries: Entry[]
  pending: string | null
  /** Missing in what an earlier page kept. */
  storyline?: ChatState['storyline']
}

const VERSION = 1
export const KEPT_ENTRIES = 100

export function readTranscript(key: string): StoredChat {
  const stored = readStoredJson(key) as (Partial<StoredChat> & { version?: unknown }) | null
  if (stored?.version !== VERSION || !Array.isArray(stored.entries)) {
    return { sessionId: null, entries: [], pending: null }
  }
  const { userId, sessionId = null, entries, pending = null, storyline = null } = stored
  return { userId, sessionId, entries, pending, storyline }
}

/** Keeps the latest entries, pictures by name only and no recording. */
export function writeTranscript(
  key: string,
  state: ChatState,
  userId: string | null | undefined,
): void {
  if (state.entries.length === 0) {
    writeStored(key, null)
    return
  }
  const entries = state.entries.slice(-KEPT_ENTRIES).map((entry) => {
    if (entry.kind !== 'user') return entry
    return {
      ...entry,
      images: entry.images.map(({ name }) => ({ name, dataUrl: null, preview: null })),
      ...(entry.audio === undefined ? {} : { audio: '' }),
    }
  })
  const last = state.entries.at(-1)
  const open = last?.kind === 'reply' && (last.state === 'live' || last.state === 'waiting')
  const pending = open ? last.messageId : null
  const { sessionId, storyline } = state
  const stored: StoredChat = { userId, sessionId, entries, pending, storyline }
  writeStored(key, JSON.stringify({ version: VERSION, ...stored }))
}

const queueKey = (key: string): string => key.replace(/:chat$/, ':queue')

/** Messages that were written without a connection, with their pictures. */
export function readQueue(key: string): UserEntry[] {
  takeFromLast(queueKey(key))
  const stored = readStoredJson(queueKey(key))
  return Array.isArray(stored) ? (stored as UserEntry[]) : []
}

export function writeQueue(key: string, queue: readonly UserEntry[]): void {
  const kept = queue.map((entry) => ({
    ...entry,
    // The address of a preview ends with the page; the picture itself does not.
    images: entry.images.map((image) => ({ ...image, preview: image.dataUrl })),
  }))
  writeStored(queueKey(key), kept.length === 0 ? null : JSON.stringify(kept))
}

/** For the page that begins anew. False where it finds them by itself. */
export const handQueueOn = (key: string): boolean => keepForNext(queueKey(key))
