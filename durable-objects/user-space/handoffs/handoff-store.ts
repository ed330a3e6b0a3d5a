import type { HandoffReason, HandoffStatus } from '../../../src/config/names'

export interface HandoffRow extends Record<string, SqlStorageValue> {
  id: string
  session_id: string
  status: HandoffStatus
  reason: HandoffReason
  body_sealed: string
  /** When the agent comes back unless a person answers before; null once it is closed. */
  due_at: number | null
  n: number
  /** The `n` that the directory knows. */
  told: number
  created_at: number
  answered_at: number | null
  closed_at: number | null
}

/** Sessions of a space that wait for a person, or did. What it stores is sealed already. */
export class HandoffStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get(id: string): HandoffRow | undefined {
    return this.#sql.exec<HandoffRow>('SELECT * FROM handoffs WHERE id = ?', id).toArray()[0]
  }

  add(
    row: Pick<HandoffRow, 'id' | 'session_id' | 'reason' | 'body_sealed' | 'due_at'>,
    now: number,
  ) {
    this.#sql.exec(
      `INSERT INTO handoffs (id, session_id, status, reason, body_sealed, due_at, n, told, created_at)
       VALUES (?, ?, 'requested', ?, ?, ?, 1, 0, ?)`,
      row.id,
      row.session_id,
      row.reason,
      row.body_sealed,
      row.due_at,
      now,
    )
  }

  answer(id: string, dueAt: number, now: number): void {
    this.#sql.exec(
      `UPDATE handoffs SET status = 'answered', due_at = ?, answered_at = coalesce(answered_at, ?), n = n + 1 WHERE id = ?`,
      dueAt,
      now,
      id,
    )
  }

  close(id: string, now: number): void {
    this.#sql.exec(
      `UPDATE handoffs SET status = 'closed', due_at = NULL, closed_at = ?, n = n + 1 WHERE id = ?`,
      now,
      id,
    )
  }

  noteTold(id: string, n: number): void {
    this.#sql.exec('UPDATE handoffs SET told = max(told, ?) WHERE id = ?', n, id)
  }

  untold(limit: number): { id: string; n: number }[] {
    return this.#sql
      .exec<{ id: string; n: number }>(
        'SELECT id, n FROM handoffs WHERE told < n ORDER BY id LIMIT ?',
        limit,
      )
      .toArray()
  }

  due(now: number, limit: number): HandoffRow[] {
    return this.#sql
      .exec<HandoffRow>(
        'SELECT * FROM handoffs WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
        now,
        limit,
      )
      .toArray()
  }

  nextDue(): number | null {
    return this.#sql.exec<{ due: number | null }>('SELECT min(due_at) AS due FROM handoffs').one()
      .due
  }

  /** @returns what was removed. */
  removeOfSession(sessionId: string): string[] {
    return this.#sql
      .exec<{ id: string }>('DELETE FROM handoffs WHERE session_id = ? RETURNING id', sessionId)
      .toArray()
      .map(({ id }) => id)
  }
}
