import { encodeEvent, encodeText, nextEventId, PING, type TurnEvent } from '../../src/chat/events'
import type { FinishedTurn } from '../../src/chat/turn'

const PING_INTERVAL_MS = 15_000

/** A running (or just finished) turn in memory: its frames so far, and whoever listens. The turn does not depend on listeners. */
export class LiveTurn {
  readonly abort = new AbortController()
  readonly #frames: { id: number; text: string }[] = []
  readonly #waiting = new Set<() => void>()
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
  ) {}

  get ended(): boolean {
    return this.#endedAt !== null
  }

  /** Milliseconds since 1970, null while the turn runs. */
  get endedAt(): number | null {
    return this.#endedAt
  }

  publish(event: TurnEvent): void {
    if (event.type === 'token') this.#chars += event.text.length
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

  /** Frames after the given id, then what comes, with a comment at once and every 15 s. All that is ready goes out in one piece. */
  listen(afterId: number): ReadableStream<Uint8Array> {
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
        if (next >= this.#frames.length && !this.ended && !(await this.#more())) {
          controller.enqueue(encodeText(PING))
          return
        }
        if (next < this.#frames.length) {
          const text = this.#frames
            .slice(next)
            .map((frame) => frame.text)
            .join('')
          next = this.#frames.length
          controller.enqueue(encodeText(text))
        }
        if (this.ended && next >= this.#frames.length) {
          controller.close()
          controller.byobRequest?.respond(0)
        }
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
      }, PING_INTERVAL_MS)
      this.#waiting.add(resume)
    })
  }
}
