/** What comes within this time is read at once: nobody sees words come in such pieces. */
const GATHER_MS = 30
const ROOM_BYTES = 16_384
const MOST_BYTES = ROOM_BYTES / 2
/** A server that ends its streams has done so this long after the last words. */
const ENDS_WITHIN_MS = 250
const MOST_SERVERS = 500

/**
 * Servers that were seen to end a stream. Whoever waits for more must know that an end will come: the last words of a
 * stream that stays open would never be enough.
 */
const ending = new Set<string>()

export interface Read {
  done: boolean
  value?: Uint8Array | undefined
}

/** Reads the stream of a model. Of a fast one it takes many events at a time: a read costs more than what is read. */
export interface GatheredReads {
  /**
   * What has come.
   * @param gathers whether it may wait for as much as 30 ms bring at the stream's last pace
   */
  read(gathers?: boolean): Promise<Read>
  cancel(reason?: unknown): Promise<void>
  /** All that matters was read. @param ended whether the stream has ended with it */
  leave(ended: boolean): void
}

/** @param server who sends it; whether its streams end is known to the isolate from one to the next */
export function gatherReads(body: ReadableStream<Uint8Array>, server: string): GatheredReads {
  const reader = bytesOf(body)
  let cameAt: number | null = null
  let pace = 0
  let waitsForMore = false
  let isLeft = false
  return {
    async read(gathers = false) {
      const least = gathers && ending.has(server) ? Math.floor(pace * GATHER_MS) : 1
      waitsForMore = least > 1
      const read = await reader.read(Math.min(Math.max(least, 1), MOST_BYTES))
      waitsForMore = false
      const now = Date.now()
      // How long the first piece was under way nothing tells.
      if (cameAt !== null && read.value) pace = read.value.byteLength / Math.max(now - cameAt, 1)
      if (!read.done) cameAt = now
      return read
    },
    async cancel(reason) {
      if (isLeft) return
      if (waitsForMore) ending.delete(server)
      await reader.cancel(reason)
    },
    leave(ended) {
      isLeft = true
      if (ended) {
        if (cameAt !== null && Date.now() - cameAt <= ENDS_WITHIN_MS) remember(server)
      } else if (ending.has(server)) reader.cancel().catch(() => undefined)
      else
        endsSoon(reader).then(
          (ends) => ends && remember(server),
          () => undefined,
        )
    },
  }
}

function remember(server: string): void {
  if (ending.size >= MOST_SERVERS) ending.clear()
  ending.add(server)
}

/** Whether the stream ends by itself; it is over in any case. */
async function endsSoon(reader: Bytes): Promise<boolean> {
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    reader.cancel().catch(() => undefined)
  }, ENDS_WITHIN_MS)
  try {
    const { done } = await reader.read(1)
    if (!done) await reader.cancel()
    return done && !isLate
  } finally {
    clearTimeout(timer)
  }
}

interface Bytes {
  /** At least so many bytes, or what there is before the end. */
  read(least: number): Promise<Read>
  cancel(reason?: unknown): Promise<void>
}

/** A stream that is not the runtime's own gives one piece at a time. */
function bytesOf(body: ReadableStream<Uint8Array>): Bytes {
  const reader = byteReaderOf(body)
  if (reader === null) {
    const pieces = body.getReader()
    return { read: () => pieces.read(), cancel: (reason) => pieces.cancel(reason) }
  }
  let room: ArrayBufferLike = new ArrayBuffer(ROOM_BYTES)
  return {
    async read(least) {
      const { done, value } = await reader.readAtLeast(least, new Uint8Array(room))
      if (value) room = value.buffer
      return { done, value }
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

function byteReaderOf(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  let reader: ReadableStreamBYOBReader
  try {
    reader = body.getReader({ mode: 'byob' })
  } catch {
    return null
  }
  if ('readAtLeast' in reader) return reader
  ;(reader as ReadableStreamBYOBReader).releaseLock()
  return null
}
