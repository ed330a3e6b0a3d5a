import { createParser } from 'eventsource-parser'
import type { SseFrame } from './sse-reader'

/** An open event stream that is read as it comes. */
export interface LiveStream {
  status: number
  headers: Headers
  /** Frames so far; comments are counted apart. */
  frames: SseFrame[]
  pings(): number
  /** Resolves with the first frame that fits, also one that came before. @throws Error after 20 s or at the end. */
  next(fits: (frame: SseFrame) => boolean): Promise<SseFrame>
  /** Resolves when the server ended the stream. @throws Error after 20 s. */
  ended(): Promise<void>
  /** Leaves without a word. */
  leave(): void
}

const WAIT_MS = 20_000

export async function openLive(
  base: URL,
  headers: Record<string, string>,
  path = '/me/stream',
): Promise<LiveStream> {
  const abort = new AbortController()
  const response = await fetch(new URL(path, base), { headers, signal: abort.signal })
  const frames: SseFrame[] = []
  const watchers = new Set<() => void>()
  let pings = 0
  let isOver = false
  const wake = () => {
    for (const watcher of [...watchers]) watcher()
  }
  const parser = createParser({
    onEvent: (message) =>
      frames.push({
        id: Number(message.id ?? -1),
        event: message.event ?? 'message',
        data: JSON.parse(message.data),
      }),
    onComment: () => {
      pings += 1
    },
  })
  const read = async () => {
    try {
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        parser.feed(decoder.decode(chunk, { stream: true }))
        wake()
      }
    } catch {
      // Left, or cut off: the frames tell how far it came.
    }
    isOver = true
    wake()
  }
  void read()
  const until = <T>(what: string, look: () => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer)
        watchers.delete(check)
        settle()
      }
      const check = () => {
        const found = look()
        if (found !== undefined) finish(() => resolve(found))
        else if (isOver) finish(() => reject(new Error(`The stream ended before ${what}`)))
      }
      const timer = setTimeout(
        () => finish(() => reject(new Error(`${what} did not come: ${JSON.stringify(frames)}`))),
        WAIT_MS,
      )
      watchers.add(check)
      check()
    })
  return {
    status: response.status,
    headers: response.headers,
    frames,
    pings: () => pings,
    next: (fits) => until('the frame', () => frames.find(fits)),
    ended: () => until('the end', () => (isOver ? null : undefined)).then(() => {}),
    leave: () => abort.abort(),
  }
}

export const isEvent = (event: string) => (frame: SseFrame) => frame.event === event
