import { createParser } from 'eventsource-parser'
import { type Frame, parseFrame } from './frames'

/** What a turn may need, and what it tells while it runs. */
export interface TurnWires {
  /** GET /v1/chat/stream/{message_id}, from the start when `lastId` is 0. */
  resume(messageId: string, lastId: number): Promise<Response>
  onFrame(frame: Frame): void
  /** The connection went away (true) or is back (false). */
  onLost(lost: boolean): void
  /** Resolves after the time, earlier when the browser is back online; rejects when aborted. */
  pause(ms: number): Promise<void>
  /** Calls the listener whenever the browser is back online, until the signal aborts. */
  onBack(listener: () => void, until: AbortSignal): void
  signal: AbortSignal
}

/** How a stream ended: complete, or beyond recovery. */
export type TurnEnd = 'ended' | 'lost'

const RETRY_DELAYS_MS = [300, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000]
/** The server pings every 15 s: three missed pings mean a dead connection that nobody has closed. */
const SILENCE_MS = 45_000

/**
 * Reads a turn to its end over as many connections as it takes. A frame is delivered once: a resumed stream starts
 * after the last id seen, and repeats are skipped.
 * @param start the answer to the question, or the id of a turn that is known already.
 */
export async function followTurn(wires: TurnWires, start: Response | string): Promise<TurnEnd> {
  const known = typeof start === 'string' ? start : null
  const progress: Progress = { messageId: known, lastId: 0, ended: false }
  if (typeof start !== 'string') await readConnection(start, progress, wires)
  let failures = 0
  for (let first = known !== null; !progress.ended; first = false) {
    if (wires.signal.aborted) return 'ended'
    const delay = RETRY_DELAYS_MS[failures]
    if (progress.messageId === null || delay === undefined) return 'lost'
    if (!first) {
      wires.onLost(true)
      await wires.pause(delay)
    }
    const before = progress.lastId
    const outcome = await reconnect(progress.messageId, progress, wires)
    if (outcome === 'gone') return 'lost'
    failures = progress.lastId > before ? 0 : failures + 1
  }
  return 'ended'
}

interface Progress {
  messageId: string | null
  lastId: number
  ended: boolean
}

async function reconnect(
  messageId: string,
  progress: Progress,
  wires: TurnWires,
): Promise<'read' | 'failed' | 'gone'> {
  let response: Response
  try {
    response = await wires.resume(messageId, progress.lastId)
  } catch {
    return 'failed'
  }
  if (response.status >= 500 || response.status === 429) return 'failed'
  if (!response.ok) return 'gone'
  wires.onLost(false)
  await readConnection(response, progress, wires)
  return 'read'
}

/** Reads one connection until it closes, breaks or stays silent for too long. */
async function readConnection(
  response: Response,
  progress: Progress,
  wires: TurnWires,
): Promise<void> {
  const reader = response.body?.getReader()
  if (!reader) return
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent(event) {
      const id = Number(event.id)
      if (progress.ended || (event.id !== undefined && id <= progress.lastId)) return
      if (id > 0) progress.lastId = id
      const frame = parseFrame(event.event, event.data)
      if (frame === null) return
      if (frame.type === 'session') progress.messageId = frame.messageId
      if (frame.type === 'done' || frame.type === 'error') progress.ended = true
      wires.onFrame(frame)
    },
  })
  const cancel = () => void reader.cancel().catch(() => undefined)
  wires.signal.addEventListener('abort', cancel)
  let watchdog = setTimeout(cancel, SILENCE_MS)
  const end = new AbortController()
  // What was open while there was no network is dead, which nobody may say for minutes.
  wires.onBack(() => progress.messageId !== null && cancel(), end.signal)
  try {
    while (!progress.ended) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(watchdog)
      watchdog = setTimeout(cancel, SILENCE_MS)
      parser.feed(decoder.decode(value, { stream: true }))
    }
    cancel()
  } catch {
    // A broken connection is what resuming is for.
  } finally {
    clearTimeout(watchdog)
    end.abort()
    wires.signal.removeEventListener('abort', cancel)
  }
}
