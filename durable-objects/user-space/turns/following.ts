import { MINUTE_MS } from '../../../src/config/limits'

/** A job that has not come by then may be lost: the next turn leaves another. */
const AWAITED_MS = MINUTE_MS

/**
 * Sessions that a turn left a following job for which has not been done yet. It makes title and summary for the turns that came
 * after it, too, so these leave none of their own for that.
 */
export class Following {
  readonly #since = new Map<string, number>()

  begin(sessionId: string, now: number): void {
    for (const [id, since] of this.#since) {
      if (since > now - AWAITED_MS) break
      this.#since.delete(id)
    }
    this.#since.delete(sessionId)
    this.#since.set(sessionId, now)
  }

  end(sessionId: string): void {
    this.#since.delete(sessionId)
  }

  isAwaited(sessionId: string, now: number): boolean {
    return (this.#since.get(sessionId) ?? Number.NEGATIVE_INFINITY) > now - AWAITED_MS
  }
}
