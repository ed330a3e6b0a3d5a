import { MINUTE_MS } from '../../src/config/limits'
import { monthOf } from '../../src/usage/quota'
import type { WaitingTurns } from './waiting-turns'

/** A turn that ran when the meter stopped has ended, or its reservation expired, after this time. */
const LOST_MS = 10 * MINUTE_MS

/** Tokens that turns of before a stop of the meter may hold, until a time in milliseconds since 1970. */
interface Lost {
  tokens: number
  until: number
}

/**
 * Spares a row for each reservation far from the ceiling: one stored mark a month, which used and reserved tokens together
 * never exceed. A meter that wakes does not know which reservations there were, so it treats everything between the used
 * tokens and the mark as reserved ("lost") until no turn of before can still run. The lost tokens are stored with the
 * mark, each with its own end, or else a meter that wakes for every turn would prolong them each time. The same row names
 * the spaces whose turns may be settled later (`WaitingTurns`).
 */
export class HighWater {
  readonly #sql: SqlStorage
  readonly #waiting: WaitingTurns
  #month = ''
  /** The mark without the lost tokens. */
  #tokens = 0
  #lost: Lost[] = []
  /** The mark as its row has it. */
  #stored = 0
  /** Whether it was raised since the meter woke. */
  #wasRaised = false

  constructor(sql: SqlStorage, waiting: WaitingTurns) {
    this.#sql = sql
    this.#waiting = waiting
  }

  /** @param used tokens of this month */
  load(now: number, used: number): void {
    const month = monthOf(now)
    const [row] = this.#sql
      .exec<{ tokens: number; lost: string; spaces: string }>(
        'SELECT tokens, lost, spaces FROM high_water WHERE month = ?',
        month,
      )
      .toArray()
    if (!row) return
    this.#month = month
    this.#lost = JSON.parse(row.lost) as Lost[]
    if (row.tokens > used) this.#lost.push({ tokens: row.tokens - used, until: now + LOST_MS })
    this.#tokens = Math.min(row.tokens, used)
    this.#stored = row.tokens
    this.#waiting.load(JSON.parse(row.spaces), this.lostAt(now) > 0, now)
  }

  lostAt(now: number): number {
    return this.#lost.reduce((sum, { tokens, until }) => sum + (until > now ? tokens : 0), 0)
  }

  /** A turn of before the stop has used so many tokens: they are lost no longer. Those that end first are taken first. */
  settle(tokens: number): void {
    let left = tokens
    for (const lost of this.#lost) {
      const taken = Math.min(lost.tokens, left)
      lost.tokens -= taken
      left -= taken
    }
  }

  /** Raises the mark to `needed` where it is lower; by `step` more from the second time on, so that not every turn writes. */
  cover(needed: number, step: number, now: number): void {
    if (this.#month === monthOf(now) && needed <= this.#tokens) return
    this.#set(needed + (this.#wasRaised ? step : 0), now)
    // Not at the first time: for a meter that wakes anew for each turn the step would be lost each time.
    this.#wasRaised = true
  }

  /** Stores the spaces whose turns may wait, and leaves the mark where it is. */
  nameSpaces(now: number): void {
    if (this.#month === monthOf(now)) this.#set(this.#tokens, now)
  }

  /** No reservation without a row is left: the mark falls. */
  giveUp(used: number, now: number): void {
    if (this.#stored > used) this.#set(0, now)
  }

  #set(tokens: number, now: number): void {
    const month = monthOf(now)
    this.#lost = this.#lost.filter((one) => one.until > now && one.tokens > 0)
    this.#sql.exec(
      `INSERT INTO high_water (month, tokens, lost, spaces) VALUES (?, ?, ?, ?)
       ON CONFLICT (month) DO UPDATE SET tokens = excluded.tokens, lost = excluded.lost, spaces = excluded.spaces`,
      month,
      tokens,
      JSON.stringify(this.#lost),
      JSON.stringify(this.#waiting.toStore(now)),
    )
    this.#month = month
    this.#tokens = tokens
    this.#stored = tokens
  }
}
