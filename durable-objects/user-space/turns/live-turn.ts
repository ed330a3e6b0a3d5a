import {
  encodeEvent,
  encodeText,
  nextEventId,
  PING,
  type TurnEvent,
} from '../../../src/chat/events'
import type { FinishedTurn } from '../../../src/chat/turn'
import { encodeStreamEnd, type StreamEnd } from '../../../src/streams/events'

/** What a listener was let in for. */
export interface Authority {
  /** Null behind a tenant key. */
  tokenVersion: number | null
  /** Null behind a user's token. */
  keyId: string | null
}

interface Listener extends Authority {
  end: StreamEnd | null
}

/** A running (or just finished) turn in memory: its frames so far, and whoever listens. The turn does not depend on listeners. */
export class LiveTurn {
  readonly abort = new AbortController()
  readonly #frames: { id: number; text: string }[] = []
  readonly #waiting = new Set<() => void>()
  readonly #listeners = new Set<Listener>()
  #lastId = 0
  #chars = 0
  #endedAt: number | null = null
  #resolve: (result: FinishedTurn) => void = () => {}
  /** Resolves when the turn is over and stored. */
  readonly finished = new Promise<FinishedTurn>((resolve) => {
    this.#resolve = resolve
  })

  constructor(
    readonly messageId: string,
    readonly sessionId: string,
    readonly pingMs: number,
  ) {}

  get ended(): boolean {
    return this.#endedAt !== null
  }

  /** Milliseconds since 1970, null while the turn runs. */
  get endedAt(): number | null {
    return this.#endedAt
  }

  publish(event: TurnEvent): void {
    if (event.type === 'token' || event.type === 'replace') this.#chars += event.text.length
    const id = nextEventId(this.#lastId, this.#chars)
    this.#lastId = id
    this.#frames.push({ id, text: encodeEvent(id, event) })
    this.#wake()
  }

  end(result: FinishedTurn): void {
    this.#endedAt = Date.now()
    this.#resolve(result)
    this.#wake()
  }

  #wake(): void {
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
    for (const listener of this.#listeners) if (whom(listener)) listener.end ??= end
    this.#wake()
  }

  /** Frames after the given id, then what comes, with a comment at once and every ping's time. All that is ready goes out in one piece. */
  listen(afterId: number, authority: Authority): ReadableStream<Uint8Array> {
    const listener: Listener = { ...authority, end: null }
    this.#listeners.add(listener)
    let next = this.#frames.findIndex((frame) => frame.id > afterId)
    if (next === -1) next = this.#frames.length
    let greeted = false
    return new ReadableStream({
      type: 'bytes',
      pull: async (controller) => {
        if (!greeted) {
          greeted = true
          controller.enqueue(encodeText(PING))
          return
        }
        while (next >= this.#frames.length && !this.ended && !listener.end) {
          if (await this.#more()) continue
          controller.enqueue(encodeText(PING))
          return
        }
        if (listener.end) {
          controller.enqueue(encodeText(encodeStreamEnd(listener.end)))
        } else if (next < this.#frames.length) {
          const text = this.#frames
            .slice(next)
            .map((frame) => frame.text)
            .join('')
          next = this.#frames.length
          controller.enqueue(encodeText(text))
        }
        if (listener.end || (this.ended && next >= this.#frames.length)) {
          this.#listeners.delete(listener)
          controller.close()
          controller.byobRequest?.respond(0)
        }
      },
      cancel: () => {
        this.#listeners.delete(listener)
      },
    })
  }

  /** @returns false when nothing came for a ping's time. */
  #more(): Promise<boolean> {
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(resume)
        resolve(false)
      }, this.pingMs)
      this.#waiting.add(resume)
    })
  }
}
