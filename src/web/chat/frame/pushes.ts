import { createParser } from 'eventsource-parser'

const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 300_000

/**
 * Tells of messages that come without being asked for: answers of people, follow-ups. Begins once there is a token, and goes
 * on after every lost connection.
 */
export async function followPushes(
  token: () => string | null,
  onMessage: (id: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let pause = FIRST_PAUSE_MS
  let lastId: string | undefined
  while (!signal.aborted) {
    const bearer = token()
    const body = bearer === null ? null : await open(bearer, lastId, signal)
    if (body !== null) {
      pause = FIRST_PAUSE_MS
      const parser = createParser({
        onEvent({ id, event, data }) {
          lastId = id ?? lastId
          const message = event === 'message' || event === 'followup' ? read(data) : null
          if (message !== null) onMessage(message)
        },
      })
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      try {
        for (let part = await reader.read(); !part.done; part = await reader.read())
          parser.feed(part.value)
      } catch {
        // A broken connection is what going on is for.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (bearer !== null) pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
  }
}

async function open(
  bearer: string,
  lastId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<BufferSource> | null> {
  try {
    const response = await fetch('/me/stream', {
      headers: {
        Authorization: `Bearer ${bearer}`,
        ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
      },
      cache: 'no-store',
      signal,
    })
    return response.ok ? (response.body as ReadableStream<BufferSource> | null) : null
  } catch {
    return null
  }
}

/** The id of a new message that somebody else wrote. */
function read(data: string): string | null {
  try {
    const { id, role, change = 'created' } = JSON.parse(data)
    return typeof id === 'string' && role !== 'user' && change === 'created' ? id : null
  } catch {
    return null
  }
}
