import { LIMITS, MINUTE_MS } from '../../../src/config/limits'
import type { LiveTurn } from './live-turn'
import { Stopped } from './run-live-turn'

const REPLAY_MS = LIMITS.streamReplayMinutes * MINUTE_MS

/** The turns under way in this object, one a session, and those that ended a short while ago. */
export class RunningTurns {
  readonly #live = new Map<string, LiveTurn>()
  /** Sessions with a turn under way. */
  readonly #busy = new Map<string, LiveTurn>()

  /** From its admission to the moment it is stored. */
  occupy(live: LiveTurn): void {
    this.#busy.set(live.sessionId, live)
  }

  release(sessionId: string): void {
    this.#busy.delete(sessionId)
  }

  isBusy(sessionId: string): boolean {
    return this.#busy.has(sessionId)
  }

  isRunning(sessionId: string, messageId: string): boolean {
    return this.#busy.get(sessionId)?.messageId === messageId
  }

  add(live: LiveTurn): void {
    this.#live.set(live.messageId, live)
  }

  get(messageId: string): LiveTurn | undefined {
    return this.#live.get(messageId)
  }

  /** The turn under way in a session, once it is admitted. */
  inSession(sessionId: string): LiveTurn | undefined {
    return this.#live.get(this.#busy.get(sessionId)?.messageId ?? '')
  }

  /** Stops the turn under way in a session, admitted or not: what it said so far is kept. */
  stop(sessionId: string): LiveTurn | undefined {
    const live = this.#busy.get(sessionId)
    live?.abort.abort(new Stopped('stopped'))
    return live
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
