import { HOUR_MS } from '../../src/config/limits'
import type { UsageEntry } from '../../src/usage/meter-types'
import { monthOf } from '../../src/usage/quota'

const SETTLED_KEPT_MS = 24 * HOUR_MS

/** Tokens of the month: what running turns have reserved, and what ended ones have used. */
export class TokenLedger {
  readonly #sql: SqlStorage
  readonly #reservations = new Map<string, { tokens: number; expiresAt: number }>()
  #reserved = 0
  #month = ''
  #used = 0

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  load(): void {
    const rows = this.#sql.exec<{ id: string; tokens: number; expires_at: number }>(
      'SELECT id, tokens, expires_at FROM reservations WHERE settled = 0',
    )
    for (const row of rows) {
      this.#reservations.set(row.id, { tokens: row.tokens, expiresAt: row.expires_at })
      this.#reserved += row.tokens
    }
  }

  usedIn(month: string): number {
    if (month !== this.#month) {
      const row = this.#sql
        .exec<{ used: number }>('SELECT used FROM months WHERE month = ?', month)
        .toArray()[0]
      this.#month = month
      this.#used = row?.used ?? 0
    }
    return this.#used
  }

  /** Adds to a reservation, or makes it. @returns false when the limit forbids it. */
  reserve(
    id: string,
    tokens: number,
    expiresAt: number,
    limit: number | null,
    now: number,
  ): boolean {
    if (limit !== null) {
      if (this.usedIn(monthOf(now)) + this.#reserved + tokens > limit) this.dropExpired(now)
      if (this.usedIn(monthOf(now)) + this.#reserved + tokens > limit) return false
    }
    const total = (this.#reservations.get(id)?.tokens ?? 0) + tokens
    this.#sql.exec(
      'INSERT INTO reservations (id, tokens, expires_at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET tokens = excluded.tokens, expires_at = excluded.expires_at',
      id,
      total,
      expiresAt,
    )
    this.#reservations.set(id, { tokens: total, expiresAt })
    this.#reserved += tokens
    return true
  }

  isReserved(id: string, now: number): boolean {
    return (this.#reservations.get(id)?.expiresAt ?? 0) > now
  }

  isSettled(id: string): boolean {
    if (this.#reservations.has(id)) return false
    return (
      this.#sql.exec('SELECT 1 FROM reservations WHERE id = ? AND settled = 1', id).toArray()
        .length > 0
    )
  }

  /** Ends a reservation for what was used. */
  settle(id: string, entries: UsageEntry[], now: number): void {
    this.#sql.exec(
      'INSERT INTO reservations (id, tokens, expires_at, settled) VALUES (?, 0, ?, 1) ON CONFLICT (id) DO UPDATE SET settled = 1, expires_at = excluded.expires_at',
      id,
      now + SETTLED_KEPT_MS,
    )
    this.#forget(id)
    this.#addToMonth(entries, now)
  }

  dropExpired(now: number): void {
    for (const [id, reservation] of this.#reservations) {
      if (reservation.expiresAt > now) continue
      this.#sql.exec('DELETE FROM reservations WHERE id = ? AND settled = 0', id)
      this.#forget(id)
    }
  }

  purge(now: number): void {
    this.dropExpired(now)
    this.#sql.exec('DELETE FROM reservations WHERE settled = 1 AND expires_at < ?', now)
  }

  #forget(id: string): void {
    this.#reserved -= this.#reservations.get(id)?.tokens ?? 0
    this.#reservations.delete(id)
  }

  #addToMonth(entries: UsageEntry[], now: number): void {
    const total = entries.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0)
    if (total === 0) return
    const month = monthOf(now)
    this.#used = this.usedIn(month) + total
    this.#sql.exec(
      'INSERT INTO months (month, used) VALUES (?, ?) ON CONFLICT (month) DO UPDATE SET used = excluded.used',
      month,
      this.#used,
    )
  }
}
