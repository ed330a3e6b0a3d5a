import { encodeEvent, nextEventId, type TurnEvent } from '../../../src/chat/events'
import type { FinishedTurn } from '../../../src/chat/turn'
import { utf8 } from '../../../src/platform/crypto/bytes'
import { encodeStreamEnd, type StreamEnd } from '../../../src/streams/events'
import { PING } from '../../../src/wire/sse'

/** What a listener was let in for. */
export interface Authority {
  /** Null behind a tenant key. */
  tokenVersion: number | null
  /** Null behind a user's token. */
  keyId: string | null
}

/** So long the last words wait for the end of their turn, which is stored meanwhile: one piece less to everybody who listens. */
const LAST_WORDS_MS = 20

interface Listener extends Authority {
  end: StreamEnd | null
}

/** Rings once nothing was said for a while. It keeps a single timer, since a timer for every frame costs too much. */
class Silence {
  #since = Date.now()
  #timer: ReturnType<typeof setTimeout> | null = null
  #ring: (() => void) | null = null

  constructor(readonly ms: number) {}

  /** Something is said, or nobody waits. */
  broken(): void {
    this.#since = Date.now()
    this.#ring = null
  }

  await(ring: () => void): void {
    this.#ring = ring
    this.#timer ??= setTimeout(() => this.#look(), Math.max(this.#rest, 1))
  }

  /** A pending timer keeps the object awake. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  get #rest(): number {
    return this.#since + this.ms - Date.now()
  }

  #look(): void {
    this.#timer = null
    const ring = this.#ring
    if (ring === null) return
    if (this.#rest > 0) this.await(ring)
    else {
      this.broken()
      ring()
    }
  }
}

/** A running (or just finished) turn in memory: its frames so far, and whoever listens. The turn does not depend on listeners. */
export class LiveTurn {
  readonly abort = new AbortController()
  readonly #frames: { id: number; text: string; bare?: TurnEvent | undefined }[] = []
  readonly #waiting = new Set<() => void>()
  readonly #listeners = new Set<Listener>()
  #lastId = 0
  #chars = 0
  #letGo = false
  /** How many of the frames listeners may have by now. */
  #ready = 0
  #lastWords: ReturnType<typeof setTimeout> | null = null
  #endedAt: number | null = null
  #isStored = false
  #resolve: (result: FinishedTurn) => void = () => {}
  /** Resolves when the turn is over and stored. */
  readonly finished = new Promise<FinishedTurn>((resolve) => {
    this.#resolve = resolve
  })

  constructor(
    readonly messageId: string,
    readonly sessionId: string,
    readonly pingMs: number,
    /** Whether everybody may see the passages behind its sources, or the tenant alone. */
    readonly publicSources = false,
  ) {}

  get ended(): boolean {
    return this.#endedAt !== null
  }

  /** Whether what it came to is a message. */
  get isStored(): boolean {
    return this.#isStored
  }

  /** Milliseconds since 1970, null while the turn runs. */
  get endedAt(): number | null {
    return this.#endedAt
  }

  /**
   * @param isLast whether the model has ended, so that the turn's end is near
   * @param bare the event for those who may not see the passages behind the sources
   */
  publish(event: TurnEvent, isLast = false, bare?: TurnEvent): void {
    if (event.type === 'token' || event.type === 'replace') this.#chars += event.text.length
    const id = nextEventId(this.#lastId, this.#chars)
    this.#lastId = id
    this.#frames.push({ id, text: encodeEvent(id, event), bare })
    if (isLast && event.type === 'token' && this.#letGo)
      this.#lastWords ??= setTimeout(() => this.#wake(), LAST_WORDS_MS)
    else this.#wake()
  }

  /**
   * Lets the first words leave. What is written after them in the same turn of the event loop would hold them back: nothing
   * leaves an object until its writes are on disk.
   */
  async letGo(): Promise<void> {
    if (this.#letGo || this.#listeners.size === 0) return
    this.#letGo = true
    await new Promise((resolve) => setTimeout(resolve))
  }

  end(result: FinishedTurn): void {
    this.#endedAt = Date.now()
    this.#isStored = result.ok
    this.#resolve(result)
    this.#wake()
  }

  #wake(): void {
    if (this.#lastWords !== null) clearTimeout(this.#lastWords)
    this.#lastWords = null
    this.#ready = this.#frames.length
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resume of waiting) resume()
  }

  /** The keys on whose word somebody listens. */
  get keyIds(): string[] {
    return [...this.#listeners].flatMap(({ keyId }) => (keyId === null ? [] : [keyId]))
  }

  /** Ends the streams of those who may no longer listen. The turn goes on. */
  dismiss(end: StreamEnd, whom: (authority: Authority) => boolean): void {
    // Turns that are over are kept for a while, and every new one looks at all of them.
    if (this.#listeners.size === 0) return
    for (const listener of this.#listeners) if (whom(listener)) listener.end ??= end
    this.#wake()
  }

  /**
   * Frames after the given id, then those that follow. All that is ready goes out in one piece. A comment goes out at once, and
   * whenever nothing was said for a ping's time, so that nobody between takes the connection for dead.
   */
  listen(afterId: number, authority: Authority): ReadableStream<Uint8Array> {
    const listener: Listener = { ...authority, end: null }
    this.#listeners.add(listener)
    let next = this.#frames.findIndex((frame) => frame.id > afterId)
    if (next === -1) next = this.#frames.length
    const first = next
    let text = PING
    const isBare = listener.keyId === null && !this.publicSources
    const silence = new Silence(this.pingMs)
    const leave = () => {
      silence.end()
      this.#listeners.delete(listener)
    }
    return new ReadableStream({
      type: 'bytes',
      pull: async (controller) => {
        while (text === '' && next >= this.#ready && !this.ended && !listener.end)
          if (!(await this.#more(silence))) text = PING
        // Who has all of a turn that is over hears once more how it ended.
        if (this.ended && next === first && next > 0) next = Math.min(next, this.#frames.length - 1)
        if (listener.end) text += encodeStreamEnd(listener.end)
        else {
          for (const { id, text: whole, bare } of this.#frames.slice(next, this.#ready))
            text += isBare && bare ? encodeEvent(id, bare) : whole
          next = Math.max(next, this.#ready)
        }
        if (text !== '') controller.enqueue(utf8(text))
        text = ''
        if (listener.end || (this.ended && next >= this.#ready)) {
          leave()
          controller.close()
          controller.byobRequest?.respond(0)
        }
      },
      cancel: leave,
    })
  }

  /** @returns false when nothing came for a ping's time. */
  #more(silence: Silence): Promise<boolean> {
    return new Promise((resolve) => {
      const resume = () => {
        silence.broken()
        resolve(true)
      }
      this.#waiting.add(resume)
      silence.await(() => {
        this.#waiting.delete(resume)
        resolve(false)
      })
    })
  }
}
