import { type DayRule, dayName, type UsageEntry } from '../../src/usage/meter-types'

/**
 * Tokens that users have used today, for users whose tenant or agent sets a daily ceiling. Counting begins with a user's
 * first turn under one; of others nothing is stored.
 */
export class UserDays {
  readonly #sql: SqlStorage
  /** Turns that run under a ceiling, with the tokens they have reserved; oldest first. */
  readonly #running = new Map<string, { names: string[]; tokens: number }>()
  /** Whether there is any row: spares a statement where no ceiling is set. */
  #counts = false

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  load(): void {
    this.#counts = this.#sql.exec('SELECT 1 FROM user_days LIMIT 1').toArray().length > 0
  }

  /**
   * Whether a turn may begin: used and reserved tokens together must be below each ceiling. The oldest running turn is not
   * counted: it may be over already, with its settlement on the way.
   * @returns null when the turn may begin; when the day ends whose tokens are used up, milliseconds since 1970; `running`
   * when only reservations of running turns are in the way
   */
  fullUntil(rules: readonly DayRule[], now: number): number | 'running' | null {
    let isReserved = false
    for (const { name, limit, endsAt } of rules) {
      const row = this.#rowOf(name, now)
      const [, ...others] = [...this.#running.values()].filter(({ names }) => names.includes(name))
      const reserved = others.reduce((sum, { tokens }) => sum + tokens, 0)
      const used = row?.used ?? 0
      if (used >= limit) return row?.ends_at ?? endsAt
      isReserved ||= used + reserved >= limit
    }
    return isReserved ? 'running' : null
  }

  begin(id: string, rules: readonly DayRule[], tokens: number, now: number): void {
    if (rules.length === 0) return
    this.#counts = true
    this.#running.set(id, { names: rules.map(({ name }) => name), tokens })
    for (const { name, endsAt } of rules) {
      this.#sql.exec(
        'INSERT INTO user_days (name, ends_at, used) VALUES (?, ?, 0) ON CONFLICT (name) DO UPDATE SET ends_at = excluded.ends_at, used = 0 WHERE ends_at <= ?',
        name,
        endsAt,
        now,
      )
    }
  }

  book(id: string, entries: readonly UsageEntry[], now: number): void {
    this.#running.delete(id)
    if (!this.#counts) return
    for (const { userId, agentId, inputTokens, outputTokens } of entries) {
      this.#sql.exec(
        'UPDATE user_days SET used = used + ? WHERE name IN (?, ?) AND ends_at > ?',
        inputTokens + outputTokens,
        dayName(userId),
        dayName(userId, agentId),
        now,
      )
    }
  }

  /** Drops turns whose reservation has run out: nobody will settle them. */
  forget(isReserved: (id: string) => boolean): void {
    for (const id of this.#running.keys()) if (!isReserved(id)) this.#running.delete(id)
  }

  purge(now: number): void {
    if (this.#counts) this.#sql.exec('DELETE FROM user_days WHERE ends_at <= ?', now)
  }

  #rowOf(name: string, now: number) {
    return this.#sql
      .exec<{ ends_at: number; used: number }>(
        'SELECT ends_at, used FROM user_days WHERE name = ? AND ends_at > ?',
        name,
        now,
      )
      .toArray()[0]
  }
}
