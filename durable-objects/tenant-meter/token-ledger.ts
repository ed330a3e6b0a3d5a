import { HOUR_MS } from '../../src/config/limits'
import type { SpaceAddress } from '../../src/platform/stubs'
import type { UsageEntry } from '../../src/usage/meter-types'
import { monthOf } from '../../src/usage/quota'
import { HighWater } from './high-water'
import type { HourlyUsage } from './hourly-usage'
import { WaitingTurns } from './waiting-turns'

const SETTLED_KEPT_MS = 24 * HOUR_MS
/** By how much the mark is raised: a share of the ceiling, but at least so many tokens. */
const STEP_SHARE = 0.01
const LEAST_STEP = 20_000
/** So many steps below its ceiling a tenant's reservations are stored one by one. */
const EXACT_STEPS = 5

interface Reservation {
  tokens: number
  expiresAt: number
  /** Whether it has a row; without one it lies below the mark. */
  isStored: boolean
}

/**
 * Tokens of the month: what running turns have reserved, and what ended ones have used. A reservation is a row of its own,
 * but that of a turn far from the ceiling: used and reserved tokens then stay below a stored mark, and a meter that wakes
 * holds what lies between the mark and what was used, until that can be under way no longer. So a crash forgives nothing.
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

  /** Used, reserved, and what may be under way since before the meter woke. */
  #taken(now: number): number {
    return this.used(now) + this.#reserved + this.#mark.lostAt(now)
  }

  /** Adds to a reservation, or makes it. @returns false when the limit forbids it. */
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
    const isNear = limit !== null && this.#taken(now) + tokens + EXACT_STEPS * this.#step > limit
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

  /** Whether the settlement of a turn that was just let in may come with a later one: nobody may be refused for that. */
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
    // It was under way when the meter stopped.
    if (!held) this.#mark.settle(total)
    const used = this.used(at)
    for (const [n, entry] of entries.entries())
      this.#usage.book(entry, at, n === 0 && !hasRow ? id : null)
    this.#used = used + total
    // What it used is none of what is below the mark still, or was when the meter stopped.
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
