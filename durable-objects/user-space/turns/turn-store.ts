export interface TurnRow extends Record<string, SqlStorageValue> {
  id: string
  session_id: string
  user_message_id: string
  agent_id: string
  agent_name: string
  started_at: number
  /** The first variant of the reply that is made anew; null for an answer to what was said last. */
  replaces: string | null
  /** Null while the turn runs; then what is still to be handed on. */
  outbox: string | null
}

interface RepeatRow extends Record<string, SqlStorageValue> {
  body_hash: string
  message_id: string
  session_id: string
  created_at: number
}

/** The turns that are under way, and the Idempotency-Keys that began one. */
export class TurnStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  begin(turn: Omit<TurnRow, 'outbox'>): void {
    this.#sql.exec(
      'INSERT INTO turns (id, session_id, user_message_id, agent_id, agent_name, started_at, replaces) VALUES (?, ?, ?, ?, ?, ?, ?)',
      turn.id,
      turn.session_id,
      turn.user_message_id,
      turn.agent_id,
      turn.agent_name,
      turn.started_at,
      turn.replaces,
    )
  }

  fillOutbox(id: string, outbox: string): void {
    this.#sql.exec('UPDATE turns SET outbox = ? WHERE id = ?', outbox, id)
  }

  forget(id: string): void {
    this.#sql.exec('DELETE FROM turns WHERE id = ?', id)
  }

  forgetSession(sessionId: string): void {
    this.#sql.exec('DELETE FROM turns WHERE session_id = ?', sessionId)
  }

  all(): TurnRow[] {
    return this.#sql.exec<TurnRow>('SELECT * FROM turns').toArray()
  }

  repeat(key: string): RepeatRow | undefined {
    return this.#sql.exec<RepeatRow>('SELECT * FROM repeats WHERE key = ?', key).toArray()[0]
  }

  addRepeat(
    key: string,
    bodyHash: string,
    messageId: string,
    sessionId: string,
    now: number,
  ): void {
    this.#sql.exec(
      'INSERT INTO repeats (key, body_hash, message_id, session_id, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET body_hash = excluded.body_hash, message_id = excluded.message_id, session_id = excluded.session_id, created_at = excluded.created_at',
      key,
      bodyHash,
      messageId,
      sessionId,
      now,
    )
  }

  dropRepeats(before: number): void {
    this.#sql.exec('DELETE FROM repeats WHERE created_at < ?', before)
  }
}
