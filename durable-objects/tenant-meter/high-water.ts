import { MINUTE_MS } from '../../src/config/limits'
import { monthOf } from '../../src/usage/quota'
import type { WaitingTurns } from './waiting-turns'

/** What may have been under way when the meter stopped has ended or expired by then. */
const LOST_MS = 10 * MINUTE_MS

/** Tokens that turns may hold since before the meter stopped, and until when at most, milliseconds since 1970. */
interface Lost {
  tokens: number
  until: number
}

/**
 * The stored mark that used tokens and those of reservations without a row stay below, month by month. A meter that wakes
 * holds what lies between it and what was used as lost, until that can be under way no longer. That is stored with the mark,
 * each part with its own end: a meter that wakes for every turn would else hold all of it anew each time.
 * The spaces whose turns may be settled later are stored with it, too.
 */
export class HighWater {
  readonly #sql: SqlStorage
  readonly #waiting: WaitingTurns
  #month = ''
  /** Without what is lost. */
  #tokens = 0
  #lost: Lost[] = []
  /** As its row has it. */
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

  /** Something that was under way when the meter stopped used so many tokens. What goes first anyway is taken first. */
  settle(tokens: number): void {
    let left = tokens
    for (const lost of this.#lost) {
      const taken = Math.min(lost.tokens, left)
      lost.tokens -= taken
      left -= taken
    }
  }

  /** Sees to it that the mark covers `needed`, and `step` more where it has to be written again and again. */
  cover(needed: number, step: number, now: number): void {
    if (this.#month === monthOf(now) && needed <= this.#tokens) return
    this.#set(needed + (this.#wasRaised ? step : 0), now)
    // A meter that wakes for each turn would lose the step each time.
    this.#wasRaised = true
  }

  /** Stores the spaces whose turns may wait, and leaves the mark where it is. */
  nameSpaces(now: number): void {
    if (this.#month === monthOf(now)) this.#set(this.#tokens, now)
  }

  /** Nothing is below it any more but what was used. */
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
