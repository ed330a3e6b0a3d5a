import type { AgentRename } from '../core/rename-agent'
import type { SpaceKeys } from '../core/space-keys'
import { readBody } from './message-body'

export type MessageStatus = 'complete' | 'partial' | 'failed'

export interface MessageRow extends Record<string, SqlStorageValue> {
  session_id: string
  id: string
  role: 'user' | 'assistant'
  agent_name: string | null
  status: MessageStatus
  body_sealed: string
  feedback: string | null
  comment_sealed: string | null
  /** A JSON array of `FeedbackReason`. */
  feedback_reasons: string | null
  created_at: number
  edited_at: number | null
  /** The first of the variants that this one is of; null for that one itself. */
  variant_of: string | null
  /** The variant with which it left the history: itself, or one that it came after. Null for what is said now. */
  left_with: string | null
}

/** What is said in one place of a session: one of these at a time. */
export interface Variants {
  ids: string[]
  /** Null while the place itself has left the history. */
  shown: string | null
}

export interface OpenMessage {
  id: string
  role: 'user' | 'assistant'
  status: MessageStatus
  content: string
  /** The guard answered. */
  refused: boolean
}

export type ChangedMessage = { id: string; role: 'user' | 'assistant' }

/** What was said in a space. */
export class MessageStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  add(message: {
    sessionId: string
    id: string
    role: 'user' | 'assistant'
    agentName: string | null
    status: MessageStatus
    sealed: string
    now: number
    variantOf?: string | null
    leftWith?: string | null
  }): void {
    this.#sql.exec(
      'INSERT INTO messages (session_id, id, role, agent_name, status, body_sealed, created_at, variant_of, left_with) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      message.sessionId,
      message.id,
      message.role,
      message.agentName,
      message.status,
      message.sealed,
      message.now,
      message.variantOf ?? null,
      message.leftWith ?? null,
    )
  }

  get(sessionId: string, id: string): MessageRow | undefined {
    return this.#sql
      .exec<MessageRow>('SELECT * FROM messages WHERE session_id = ? AND id = ?', sessionId, id)
      .toArray()[0]
  }

  has(sessionId: string, id: string): boolean {
    return (
      this.#sql
        .exec('SELECT 1 FROM messages WHERE session_id = ? AND id = ?', sessionId, id)
        .toArray().length > 0
    )
  }

  /**
   * By id alone: every session is one look-up in the primary key, so this grows with sessions, not with messages. CROSS JOIN
   * keeps SQLite to that order: left to itself it reads every message.
   */
  find(id: string): MessageRow | undefined {
    return this.#sql
      .exec<MessageRow>(
        'SELECT m.* FROM sessions s CROSS JOIN messages m ON m.session_id = s.id AND m.id = ?1',
        id,
      )
      .toArray()[0]
  }

  /** How many there are in a session after one, counted no further than `most`. */
  countAfter(sessionId: string, id: string | null, most: number): number {
    return this.#sql
      .exec(
        'SELECT id FROM messages WHERE session_id = ? AND id > ? LIMIT ?',
        sessionId,
        id ?? '',
        most,
      )
      .toArray().length
  }

  /** The user's message that a reply answers: the one before the first of its variants, said at the same time. */
  questionOf(sessionId: string, replyId: string): MessageRow | undefined {
    return this.#sql
      .exec<MessageRow>(
        `SELECT * FROM messages WHERE session_id = ?1 AND role = 'user'
           AND id < coalesce((SELECT variant_of FROM messages WHERE session_id = ?1 AND id = ?2), ?2)
         ORDER BY id DESC LIMIT 1`,
        sessionId,
        replyId,
      )
      .toArray()[0]
  }

  /** What was said next by one of the two after a message, or first of all where it is empty. */
  saidAfter(sessionId: string, role: MessageRow['role'], id: string): MessageRow | undefined {
    return this.#sql
      .exec<MessageRow>(
        'SELECT * FROM messages WHERE session_id = ? AND id > ? AND role = ? AND left_with IS NULL ORDER BY id LIMIT 1',
        sessionId,
        id,
        role,
      )
      .toArray()[0]
  }

  /** The latest first; `before` excludes that id and everything newer. */
  last(sessionId: string, limit: number, before: string | null): MessageRow[] {
    return this.#sql
      .exec<MessageRow>(
        // Ids are hexadecimal: all come before that letter.
        "SELECT * FROM messages WHERE session_id = ?1 AND id < coalesce(?2, 'g') AND left_with IS NULL ORDER BY id DESC LIMIT ?3",
        sessionId,
        before,
        limit,
      )
      .toArray()
  }

  /** As `last`, in chronological order and opened. */
  async lastOpened(
    keys: SpaceKeys,
    sessionId: string,
    limit: number,
    before: string | null = null,
  ): Promise<OpenMessage[]> {
    if (limit === 0) return []
    const rows = this.last(sessionId, limit, before)
    const open = await Promise.all(
      rows.map(async (row) => {
        const { id, role, status } = row
        // What does not open is left out of the talk, as an empty message is.
        const { content = '', finishReason } = (await readBody(keys, row)) ?? {}
        return { id, role, status, content, refused: finishReason === 'guard' }
      }),
    )
    return open.reverse()
  }

  /** Whether its user had a whole reply: a greeting answers nobody, and a reply that failed is asked for again. */
  isAnswered(sessionId: string): boolean {
    const replies = this.#sql.exec(
      `SELECT 1 FROM messages WHERE session_id = ?1 AND role = 'assistant' AND status = 'complete' AND left_with IS NULL
         AND id > (SELECT min(id) FROM messages WHERE session_id = ?1 AND role = 'user') LIMIT 1`,
      sessionId,
    )
    return replies.toArray().length > 0
  }

  /** What was replied after a message, whether it is in the history or has left it. */
  repliesAfter(sessionId: string, id: string, limit: number): MessageRow[] {
    return this.#sql
      .exec<MessageRow>(
        "SELECT * FROM messages WHERE session_id = ? AND id > ? AND role = 'assistant' ORDER BY id LIMIT ?",
        sessionId,
        id,
        limit,
      )
      .toArray()
  }

  /** All of a session's history, the latest first. */
  ofSession(sessionId: string): MessageRow[] {
    return this.#sql
      .exec<MessageRow>(
        'SELECT * FROM messages WHERE session_id = ? AND left_with IS NULL ORDER BY id DESC',
        sessionId,
      )
      .toArray()
  }

  /** A session from its beginning to the given message. */
  upTo(sessionId: string, id: string, included: boolean): MessageRow[] {
    return this.#sql
      .exec<MessageRow>(
        `SELECT * FROM messages WHERE session_id = ? AND id ${included ? '<=' : '<'} ? AND left_with IS NULL ORDER BY id`,
        sessionId,
        id,
      )
      .toArray()
  }

  edit(sessionId: string, id: string, sealed: string, now: number): void {
    this.#sql.exec(
      'UPDATE messages SET body_sealed = ?, edited_at = ? WHERE session_id = ? AND id = ?',
      sealed,
      now,
      sessionId,
      id,
    )
  }

  /** Places of a session where more than one thing was said, by the first of each. */
  variants(sessionId: string): Map<string, Variants> {
    const later = this.#sql
      .exec<MessageRow>(
        // Named, because left to itself SQLite reads the whole session.
        "SELECT * FROM messages INDEXED BY messages_variants WHERE session_id = ? AND variant_of IS NOT NULL AND status <> 'failed'",
        sessionId,
      )
      .toArray()
    const byPlace = Map.groupBy(later, (row) => row.variant_of ?? row.id)
    return new Map(
      [...byPlace].map(([place, rows]) => {
        const first = this.get(sessionId, place)
        const said = first && first.status !== 'failed' ? [first, ...rows] : rows
        const shown = said.find(({ left_with }) => left_with === null)?.id ?? null
        return [place, { ids: said.map(({ id }) => id), shown }]
      }),
    )
  }

  /** What of a session is not in its history. */
  left(sessionId: string): Pick<MessageRow, 'id' | 'variant_of' | 'left_with'>[] {
    return this.#sql
      .exec<Pick<MessageRow, 'id' | 'variant_of' | 'left_with'>>(
        'SELECT id, variant_of, left_with FROM messages WHERE session_id = ? AND left_with IS NOT NULL ORDER BY id',
        sessionId,
      )
      .toArray()
  }

  /** A variant leaves the history with all that came after it, and before `next`. @returns what left. */
  leave(sessionId: string, variant: string, next: string | null): ChangedMessage[] {
    return this.#sql
      .exec<ChangedMessage>(
        `UPDATE messages SET left_with = ?2 WHERE session_id = ?1 AND id >= ?2 AND (?3 IS NULL OR id < ?3) AND left_with IS NULL
         RETURNING id, role`,
        sessionId,
        variant,
        next,
      )
      .toArray()
  }

  /** A variant comes back into the history with all that left with it. @returns what came back. */
  comeBack(sessionId: string, variant: string): ChangedMessage[] {
    return this.#sql
      .exec<ChangedMessage>(
        'UPDATE messages SET left_with = NULL WHERE session_id = ? AND left_with = ? RETURNING id, role',
        sessionId,
        variant,
      )
      .toArray()
  }

  setFeedback(
    sessionId: string,
    id: string,
    value: 'up' | 'down' | null,
    commentSealed: string | null,
    reasons: string | null,
  ): void {
    this.#sql.exec(
      'UPDATE messages SET feedback = ?, comment_sealed = ?, feedback_reasons = ? WHERE session_id = ? AND id = ?',
      value,
      commentSealed,
      reasons,
      sessionId,
      id,
    )
  }

  renameAgent({ from, to, renamedAt }: AgentRename): void {
    this.#sql.exec(
      'UPDATE messages SET agent_name = ? WHERE agent_name = ? AND created_at < ?',
      to,
      from,
      renamedAt,
    )
  }

  remove(sessionId: string, id: string): void {
    this.#sql.exec('DELETE FROM messages WHERE session_id = ? AND id = ?', sessionId, id)
  }

  removeOfSession(sessionId: string): void {
    this.#sql.exec('DELETE FROM messages WHERE session_id = ?', sessionId)
  }
}
