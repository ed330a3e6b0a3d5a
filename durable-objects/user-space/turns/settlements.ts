import { MINUTE_MS } from '../../../src/config/limits'
import type { Settlement } from '../../../src/usage/meter-types'
import type { SpaceCore } from '../core/space-core'
import { dispatch, type Outbox } from './outbox'

/** The alarm comes so long after a turn. A turn a minute after it finds the settlement waiting, and takes it along. */
export const LOOK_MS = 2 * MINUTE_MS
/** The alarm leaves what has waited less: the next turn may take it along still. */
const WAIT_MS = 75_000

/** What turns that are over have still to tell the meter: the next turn of the space takes it along, else the alarm tells. */
export class Settlements {
  readonly #core: SpaceCore
  readonly #waiting = new Map<string, Outbox>()

  constructor(core: SpaceCore) {
    this.#core = core
  }

  hold(outbox: Outbox): void {
    this.#waiting.set(outbox.turn, outbox)
  }

  /** For the meter, with an admission. A repeat changes nothing there. */
  get all(): Settlement[] {
    return [...this.#waiting.values()].map(({ turn, settle, health, endedAt }) => ({
      turn,
      settle,
      ...(health ? { health } : {}),
      endedAt,
    }))
  }

  /** The meter has these. */
  done(settled: readonly Settlement[]): void {
    for (const { turn } of settled) {
      this.#waiting.delete(turn)
      this.#core.stores.turns.end(turn)
    }
  }

  /** Tells the meter now. @param before only of turns that were over then. @returns whether it was heard of them all. */
  async settle(before = Number.POSITIVE_INFINITY): Promise<boolean> {
    const due = [...this.#waiting.values()].filter(({ endedAt }) => endedAt <= before)
    const heard = await Promise.all(due.map((outbox) => dispatch(this.#core, outbox)))
    for (const [n, { turn }] of due.entries()) if (heard[n]) this.#waiting.delete(turn)
    return !heard.includes(false)
  }

  /** From the alarm: what has waited long is told, for the rest it comes again. */
  async lookAfter(): Promise<void> {
    await this.settle(Date.now() - WAIT_MS)
    const ends = [...this.#waiting.values()].map(({ endedAt }) => endedAt)
    if (ends.length > 0)
      await this.#core.wakeAt(Math.max(Math.min(...ends), Date.now() - LOOK_MS / 2) + LOOK_MS)
  }
}
