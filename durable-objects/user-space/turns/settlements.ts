import { MINUTE_MS } from '../../../src/config/limits'
import type { Settlement } from '../../../src/usage/meter-types'
import type { SpaceCore } from '../core/space-core'
import { dispatch, type Outbox } from './outbox'

/** The alarm comes so long after a turn. A turn a minute after it finds the settlement waiting, and takes it along. */
export const LOOK_MS = 2 * MINUTE_MS
/** The alarm leaves what has waited less: the next turn may take it along still. */
const WAIT_MS = 75_000

interface Waiting {
  outbox: Outbox
  /** When its turn was over, or the meter heard of it last. */
  since: number
}

/** What turns that are over have still to tell the meter: the next turn of the space takes it along, else the alarm tells. */
export class Settlements {
  readonly #core: SpaceCore
  readonly #waiting = new Map<string, Waiting>()

  constructor(core: SpaceCore) {
    this.#core = core
  }

  hold(outbox: Outbox): void {
    const { turn, endedAt } = outbox
    if (!this.#waiting.has(turn)) this.#waiting.set(turn, { outbox, since: endedAt })
  }

  /** For the meter, with an admission, until it has them all. A repeat changes nothing there. */
  get all(): Settlement[] {
    return [...this.#waiting.values()].map(({ outbox: { turn, settle, health, endedAt } }) => ({
      turn,
      settle,
      ...(health ? { health } : {}),
      endedAt,
    }))
  }

  /** The meter heard of these. @param booked of them, those that it forgets no more: the others are told once more. */
  told(settled: readonly Settlement[], booked: readonly string[]): void {
    const now = Date.now()
    for (const { turn } of settled) {
      const waiting = this.#waiting.get(turn)
      if (waiting) waiting.since = now
    }
    for (const turn of booked) {
      this.#waiting.delete(turn)
      this.#core.stores.turns.end(turn)
    }
  }

  /** Tells the meter now. @param before only of turns that wait since then. @returns whether it was heard of them all. */
  async settle(before = Number.POSITIVE_INFINITY): Promise<boolean> {
    const due = [...this.#waiting.values()]
      .filter(({ since }) => since <= before)
      .map(({ outbox }) => outbox)
    const heard = await Promise.all(due.map((outbox) => dispatch(this.#core, outbox)))
    for (const [n, { turn }] of due.entries()) if (heard[n]) this.#waiting.delete(turn)
    return !heard.includes(false)
  }

  /** From the alarm: what has waited long is told, for the rest it comes again. */
  async lookAfter(): Promise<void> {
    await this.settle(Date.now() - WAIT_MS)
    const since = [...this.#waiting.values()].map((one) => one.since)
    if (since.length > 0)
      await this.#core.wakeAt(Math.max(Math.min(...since), Date.now() - LOOK_MS / 2) + LOOK_MS)
  }
}
