import { LIMITS, MINUTE_MS } from '../../../src/config/limits'
import type { LiveTurn } from './live-turn'
import { Stopped } from './run-live-turn'

const REPLAY_MS = LIMITS.streamReplayMinutes * MINUTE_MS

/** The turns under way in this object, one a session, and those that ended a short while ago. */
export class RunningTurns {
  readonly #live = new Map<string, LiveTurn>()
  /** Sessions with a turn under way, and its message id. */
  readonly #busy = new Map<string, string>()

  /** From its admission to the moment it is stored. */
  occupy(sessionId: string, messageId: string): void {
    this.#busy.set(sessionId, messageId)
  }

  release(sessionId: string): void {
    this.#busy.delete(sessionId)
  }

  isBusy(sessionId: string): boolean {
    return this.#busy.has(sessionId)
  }

  isRunning(sessionId: string, messageId: string): boolean {
    return this.#busy.get(sessionId) === messageId
  }

  add(live: LiveTurn): void {
    this.#live.set(live.messageId, live)
  }

  get(messageId: string): LiveTurn | undefined {
    return this.#live.get(messageId)
  }

  inSession(sessionId: string): LiveTurn | undefined {
    return this.#live.get(this.#busy.get(sessionId) ?? '')
  }

  all(): Iterable<LiveTurn> {
    return this.#live.values()
  }

  stopAll(): void {
    for (const live of this.#live.values()) live.abort.abort(new Stopped('stopped'))
  }

  /** Frames of finished turns stay in memory for the replay's time, as long as the object happens to be awake. */
  dropOld(): void {
    const oldest = Date.now() - REPLAY_MS
    for (const [id, { endedAt }] of this.#live) {
      if (endedAt === null) continue
      // Those behind it began later.
      if (endedAt >= oldest) break
      this.#live.delete(id)
    }
  }
}
