import { HOUR_MS } from '../../src/config/limits'
import type { SpaceAddress } from '../../src/platform/stubs'
import type { UsageEntry } from '../../src/usage/meter-types'
import { monthOf } from '../../src/usage/quota'
import { HighWater } from './high-water'
import type { HourlyUsage } from './hourly-usage'
import { WaitingTurns } from './waiting-turns'

const SETTLED_KEPT_MS = 24 * HOUR_MS
/** By how much the high-water mark is raised at a time: a share of the ceiling, but at least so many tokens. */
const STEP_SHARE = 0.01
const LEAST_STEP = 20_000
/** Nearer to the ceiling than this many steps, each reservation gets a row of its own. */
const EXACT_STEPS = 5

interface Reservation {
  tokens: number
  expiresAt: number
  /** Whether it has a row; without one it lies below the mark. */
  isStored: boolean
}

/**
 * Tokens of the month: what running turns have reserved, and what ended ones have used. Near the ceiling each reservation
 * has a row. Far from it a turn's reservation has none: one stored mark bounds all of them together (`HighWater`). Either
 * way a crash forgets no reservation.
 */
export class TokenLedger {
  readonly #sql: SqlStorage
  readonly #usage: HourlyUsage
  readonly #reservations = new Map<string, Reservation>()
  #reserved = 0
  /** Of the reserved tokens, those without a row. */
  #belowMark = 0
  readonly waiting = new WaitingTurns()
  readonly #mark: HighWater
  #step = LEAST_STEP
  #month = ''
  #used = 0

  constructor(sql: SqlStorage, usage: HourlyUsage) {
    this.#sql = sql
    this.#usage = usage
    this.#mark = new HighWater(sql, this.waiting)
  }

  load(now: number): void {
    const rows = this.#sql.exec<{ id: string; tokens: number; expires_at: number }>(
      'SELECT id, tokens, expires_at FROM reservations WHERE settled = 0',
    )
    for (const { id, tokens, expires_at: expiresAt } of rows)
      this.#hold(id, { tokens, expiresAt, isStored: true })
    this.#mark.load(now, this.used(now))
  }

  /** Tokens used in the month of `now`: what its rows say once, then what is booked. */
  used(now: number): number {
    const month = monthOf(now)
    if (month !== this.#month) {
      this.#used = this.#usage.tokensInMonth(now)
      this.#month = month
    }
    return this.#used
  }

  /** What counts against the ceiling: used, reserved, and what turns of before the meter woke may still use. */
  #taken(now: number): number {
    return this.used(now) + this.#reserved + this.#mark.lostAt(now)
  }

  /**
   * Makes a reservation, or adds to one. @param limit tokens a month, null for none @param isTurn far from the limit it
   * needs no row @returns false when the limit forbids it: then nothing changed
   */
  reserve(
    id: string,
    tokens: number,
    expiresAt: number,
    limit: number | null,
    now: number,
    isTurn = false,
  ): boolean {
    if (limit !== null && this.#taken(now) + tokens > limit) {
      this.dropExpired(now)
      if (this.#taken(now) + tokens > limit) return false
    }
    this.#step = Math.max(LEAST_STEP, Math.ceil((limit ?? 0) * STEP_SHARE))
    // Twice: a meter that wakes holds the tokens of this turn beside those of the next.
    const margin = 2 * tokens + EXACT_STEPS * this.#step
    const isNear = limit !== null && this.#taken(now) + margin > limit
    if (isNear) this.#storeAll(now)
    const held = this.#reservations.get(id)
    const isStored = isNear || (held ? held.isStored : !isTurn)
    const reservation = { tokens: (held?.tokens ?? 0) + tokens, expiresAt, isStored }
    if (isStored) this.#store(id, reservation)
    else this.#cover(tokens, now)
    this.#forget(id)
    this.#hold(id, reservation)
    return true
  }

  /** Whether a turn just let in may be settled with a later one. Not near the ceiling: nobody may be refused for tokens that are free. */
  mayWait(id: string, space: SpaceAddress, now: number): boolean {
    const isStored = this.#reservations.get(id)?.isStored ?? true
    if (isStored) return false
    if (this.waiting.isWorthStoring(space, now)) this.#mark.nameSpaces(now)
    return this.waiting.mayWait(id, space, now)
  }

  isReserved(id: string, now: number): boolean {
    return (this.#reservations.get(id)?.expiresAt ?? 0) > now
  }

  /** Whether this was booked before. @param entries as they are about to be booked */
  isSettled(id: string, entries: readonly UsageEntry[], now: number): boolean {
    if (this.#reservations.has(id)) return false
    const row = this.#sql.exec('SELECT 1 FROM reservations WHERE id = ? AND settled = 1', id)
    if (row.toArray().length > 0) return true
    const [first] = entries
    return first !== undefined && this.#usage.isBooked(id, first, now)
  }

  /** Ends a reservation for what was used, and books it. @param at when it was used, at most an hour ago */
  settle(id: string, entries: readonly UsageEntry[], now: number, at = now): void {
    this.waiting.settle(id)
    const held = this.#reservations.get(id)
    const total = entries.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0)
    const hasRow = held?.isStored ?? false
    if (hasRow) {
      this.#sql.exec(
        'INSERT INTO reservations (id, tokens, expires_at, settled) VALUES (?, 0, ?, 1) ON CONFLICT (id) DO UPDATE SET settled = 1, expires_at = excluded.expires_at',
        id,
        now + SETTLED_KEPT_MS,
      )
    }
    this.#forget(id)
    // No reservation is known: the turn began before the meter woke.
    if (!held) this.#mark.settle(total)
    const used = this.used(at)
    for (const [n, entry] of entries.entries())
      this.#usage.book(entry, at, n === 0 && !hasRow ? id : null)
    this.#used = used + total
    // Used tokens have grown, so the mark may have to rise for what is still reserved below it, or lost.
    if (this.#belowMark > 0 || (held && this.#mark.lostAt(now) > 0)) this.#cover(0, now)
  }

  dropExpired(now: number): void {
    for (const [id, { expiresAt, isStored }] of this.#reservations) {
      if (expiresAt > now) continue
      if (isStored) this.#sql.exec('DELETE FROM reservations WHERE id = ? AND settled = 0', id)
      this.#forget(id)
    }
  }

  purge(now: number): void {
    this.dropExpired(now)
    this.#sql.exec('DELETE FROM reservations WHERE settled = 1 AND expires_at < ?', now)
  }

  /** Near the ceiling every token counts: all reservations get their rows, and what is left of the mark is given up. */
  #storeAll(now: number): void {
    for (const [id, reservation] of this.#reservations) {
      if (reservation.isStored) continue
      this.#store(id, reservation)
      reservation.isStored = true
    }
    this.#belowMark = 0
    this.#mark.giveUp(this.used(now), now)
  }

  #store(id: string, { tokens, expiresAt }: Reservation): void {
    this.#sql.exec(
      'INSERT INTO reservations (id, tokens, expires_at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET tokens = excluded.tokens, expires_at = excluded.expires_at',
      id,
      tokens,
      expiresAt,
    )
  }

  #cover(more: number, now: number): void {
    this.#mark.cover(this.used(now) + this.#belowMark + more, this.#step, now)
  }

  #hold(id: string, reservation: Reservation): void {
    this.#reservations.set(id, reservation)
    this.#reserved += reservation.tokens
    if (!reservation.isStored) this.#belowMark += reservation.tokens
  }

  #forget(id: string): void {
    const held = this.#reservations.get(id)
    if (!held) return
    this.#reserved -= held.tokens
    if (!held.isStored) this.#belowMark -= held.tokens
    this.#reservations.delete(id)
  }
}
