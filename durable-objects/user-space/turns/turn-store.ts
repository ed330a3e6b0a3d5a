export interface TurnRow extends Record<string, SqlStorageValue> {
  slot: number
  id: string
  session_id: string
  user_message_id: string
  agent_id: string
  agent_name: string
  started_at: number
  /** The first variant of the reply that is made anew; null for an answer to what was said last. */
  replaces: string | null
  /** Whether it ended and was handed on, as far as that was written down. */
  over: number
}

interface RepeatRow extends Record<string, SqlStorageValue> {
  body_hash: string
  message_id: string
  session_id: string
  created_at: number
  answer: string | null
}

/**
 * The turns that are under way or not handed on yet, and the Idempotency-Keys that began one. A turn takes the slot of one
 * that is over, so it is one row. That it is over is kept in memory; the alarm writes it down where no turn came after it.
 */
export class TurnStore {
  readonly #sql: SqlStorage
  readonly #over = new Set<string>()

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  begin(turn: Omit<TurnRow, 'slot' | 'over'>): void {
    const slots = this.#slots()
    const free = slots.find((one) => this.#isOver(one))
    this.#sql.exec(
      `INSERT INTO turn_slots (slot, id, session_id, user_message_id, agent_id, agent_name, started_at, replaces) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (slot) DO UPDATE SET id = excluded.id, session_id = excluded.session_id, user_message_id = excluded.user_message_id,
         agent_id = excluded.agent_id, agent_name = excluded.agent_name, started_at = excluded.started_at, replaces = excluded.replaces, over = 0`,
      free?.slot ?? slots.length + 1,
      turn.id,
      turn.session_id,
      turn.user_message_id,
      turn.agent_id,
      turn.agent_name,
      turn.started_at,
      turn.replaces,
    )
  }

  /** It ended and was handed on: nothing is to be done for it after a crash, and doing it again changes nothing. */
  end(id: string): void {
    this.#over.add(id)
  }

  /** Writes down which turns are over, so that a wake long after asks for none of them. */
  noteEnded(): void {
    for (const { slot, over, id } of this.#slots()) {
      if (over === 0 && this.#over.has(id))
        this.#sql.exec('UPDATE turn_slots SET over = 1 WHERE slot = ?', slot)
    }
    this.#over.clear()
  }

  forgetSession(sessionId: string): void {
    this.#sql.exec('UPDATE turn_slots SET over = 1 WHERE session_id = ?', sessionId)
  }

  /** Those that are under way or still to be handed on. */
  all(): TurnRow[] {
    return this.#slots().filter((one) => !this.#isOver(one))
  }

  /** The turn that a message began, until it is over. */
  begunBy(questionId: string): TurnRow | undefined {
    return this.all().find((one) => one.user_message_id === questionId && one.replaces === null)
  }

  #slots(): TurnRow[] {
    return this.#sql.exec<TurnRow>('SELECT * FROM turn_slots').toArray()
  }

  #isOver({ id, over }: TurnRow): boolean {
    return over === 1 || this.#over.has(id)
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

  /** The answer that a call which made something was given, where that is gone. */
  keepAnswer(key: string, bodyHash: string, answer: string, createdAt: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO repeats (key, body_hash, message_id, session_id, created_at, answer) VALUES (?, ?, '', '', ?, ?)",
      key,
      bodyHash,
      createdAt,
      answer,
    )
  }

  dropRepeats(before: number): void {
    this.#sql.exec('DELETE FROM repeats WHERE created_at < ?', before)
  }
}
