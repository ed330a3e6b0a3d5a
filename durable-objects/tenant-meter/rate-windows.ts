import { HOUR_MS } from '../../src/config/limits'
import { countCall, type RateWindow, type WindowRule } from '../../src/usage/windows'

/** Longer than any window: what is older counts nothing, and sign-in names one for every address that is tried. */
export const KEPT_MS = 24 * HOUR_MS
/** Windows up to this long live in memory: an object that is called often enough to reach a limit is not evicted. */
const MEMORY_WINDOW_S = 60
const MAX_IN_MEMORY = 10_000

export const isBrief = ({ windowS }: WindowRule): boolean => windowS <= MEMORY_WINDOW_S

export type Taken = { ok: true } | { ok: false; retryAfterS: number }

/** Calls counted in windows of time. */
export class RateWindows {
  readonly #sql: SqlStorage
  readonly #windows = new Map<string, RateWindow>()

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** Counts one call in every window, or in none when one is full. */
  take(rules: WindowRule[], now: number): Taken {
    const counted: [WindowRule, RateWindow][] = []
    for (const rule of rules) {
      const result = countCall(this.#windowOf(rule), rule, now)
      if (!result.ok) return result
      counted.push([rule, result.window])
    }
    for (const [rule, window] of counted) this.#keep(rule, window)
    if (this.#windows.size > MAX_IN_MEMORY) this.#forgetOld(now)
    return { ok: true }
  }

  /** @returns whether none is left. */
  purge(now: number): boolean {
    this.#sql.exec('DELETE FROM windows WHERE started_at <= ?', now - KEPT_MS)
    return this.#sql.exec('SELECT 1 FROM windows LIMIT 1').toArray().length === 0
  }

  #keep(rule: WindowRule, window: RateWindow): void {
    this.#windows.set(rule.name, window)
    if (isBrief(rule)) return
    this.#sql.exec(
      'INSERT INTO windows (name, started_at, count) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at, count = excluded.count',
      rule.name,
      window.startedAt,
      window.count,
    )
  }

  #windowOf(rule: WindowRule): RateWindow | undefined {
    const known = this.#windows.get(rule.name)
    if (known || isBrief(rule)) return known
    const row = this.#sql
      .exec<{ started_at: number; count: number }>(
        'SELECT started_at, count FROM windows WHERE name = ?',
        rule.name,
      )
      .toArray()[0]
    return row && { startedAt: row.started_at, count: row.count }
  }

  #forgetOld(now: number): void {
    for (const [name, window] of this.#windows)
      if (window.startedAt < now - HOUR_MS) this.#windows.delete(name)
  }
}
