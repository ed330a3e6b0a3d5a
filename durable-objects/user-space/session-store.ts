import type { Closest, Source, TurnUsage } from '../../src/chat/events'
import type { FinishReason } from '../../src/config/names'
import type { SpaceKeys } from './space-keys'

export type MessageStatus = 'complete' | 'partial' | 'failed'

/** What the envelope of a message holds. */
export interface MessageBody {
  content: string
  sources?: Source[]
  finishReason?: FinishReason
  usage?: Omit<TurnUsage, 'estimated'> & { estimated?: boolean }
  suggestions?: string[]
  closest?: Closest[]
  transcript?: string | null
  /** Sentences of the model that no source supported, so that they were not said. */
  unsourced?: string[]
  /** Listeners were sent text that it does not have. */
  rewritten?: true
}

export interface SessionRow extends Record<string, SqlStorageValue> {
  id: string
  agent_id: string
  agent_name: string
  channel: string
  alias: string | null
  title_sealed: string | null
  title_by_user: number
  title_vector_sealed: string | null
  title_embedder: string | null
  message_count: number
  read_count: number
  summary_sealed: string | null
  summary_upto: string | null
  forked_from: string | null
  prefill_sealed: string | null
  created_at: number
  updated_at: number
}

export interface MessageRow extends Record<string, SqlStorageValue> {
  session_id: string
  id: string
  role: 'user' | 'assistant'
  agent_name: string | null
  status: MessageStatus
  body_sealed: string
  feedback: string | null
  comment_sealed: string | null
  created_at: number
  edited_at: number | null
}

export interface TurnRow extends Record<string, SqlStorageValue> {
  id: string
  session_id: string
  user_message_id: string
  agent_id: string
  agent_name: string
  started_at: number
  /** Null while the turn runs; then what is still to be handed on. */
  outbox: string | null
}

export interface OpenMessage {
  id: string
  role: 'user' | 'assistant'
  status: MessageStatus
  content: string
}

/** Sessions, messages and turns of one space. Reads and writes SQL; seals and opens with the space's key. */
export class SessionStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  session(id: string): SessionRow | undefined {
    return this.#sql.exec<SessionRow>('SELECT * FROM sessions WHERE id = ?', id).toArray()[0]
  }

  sessionByAlias(alias: string): SessionRow | undefined {
    return this.#sql.exec<SessionRow>('SELECT * FROM sessions WHERE alias = ?', alias).toArray()[0]
  }

  addSession(session: {
    id: string
    agentId: string
    agentName: string
    channel: string
    alias: string | null
    now: number
  }): void {
    this.#sql.exec(
      'INSERT INTO sessions (id, agent_id, agent_name, channel, alias, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      session.id,
      session.agentId,
      session.agentName,
      session.channel,
      session.alias,
      session.now,
      session.now,
    )
  }

  /** Two messages more, and who answered last. */
  closeTurn(sessionId: string, agentId: string, agentName: string, now: number): void {
    this.#sql.exec(
      'UPDATE sessions SET message_count = message_count + 2, agent_id = ?, agent_name = ?, updated_at = ? WHERE id = ?',
      agentId,
      agentName,
      now,
      sessionId,
    )
  }

  addMessage(message: {
    sessionId: string
    id: string
    role: 'user' | 'assistant'
    agentName: string | null
    status: MessageStatus
    sealed: string
    now: number
  }): void {
    this.#sql.exec(
      'INSERT INTO messages (session_id, id, role, agent_name, status, body_sealed, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
      message.sessionId,
      message.id,
      message.role,
      message.agentName,
      message.status,
      message.sealed,
      message.now,
    )
  }

  message(sessionId: string, id: string): MessageRow | undefined {
    return this.#sql
      .exec<MessageRow>('SELECT * FROM messages WHERE session_id = ? AND id = ?', sessionId, id)
      .toArray()[0]
  }

  /** The user's message that a reply answers. */
  questionOf(sessionId: string, replyId: string): MessageRow | undefined {
    return this.#sql
      .exec<MessageRow>(
        "SELECT * FROM messages WHERE session_id = ? AND id < ? AND role = 'user' ORDER BY id DESC LIMIT 1",
        sessionId,
        replyId,
      )
      .toArray()[0]
  }

  /** By id alone: every session is one look-up in the primary key, so this grows with sessions, not with messages. */
  findMessage(id: string): MessageRow | undefined {
    return this.#sql
      .exec<MessageRow>(
        'SELECT m.* FROM sessions s JOIN messages m ON m.session_id = s.id AND m.id = ?1',
        id,
      )
      .toArray()[0]
  }

  /** The latest `limit` messages in chronological order, opened. `before` excludes that id and everything newer. */
  async lastMessages(
    keys: SpaceKeys,
    sessionId: string,
    limit: number,
    before: string | null = null,
  ): Promise<OpenMessage[]> {
    if (limit === 0) return []
    const rows = this.#sql
      .exec<MessageRow>(
        'SELECT * FROM messages WHERE session_id = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3',
        sessionId,
        before,
        limit,
      )
      .toArray()
    const open = await Promise.all(
      rows.map(async (row) => ({
        id: row.id,
        role: row.role,
        status: row.status,
        // What does not open is left out of the talk, as an empty message is.
        content: (await readBody(keys, row))?.content ?? '',
      })),
    )
    return open.reverse()
  }

  beginTurn(turn: Omit<TurnRow, 'outbox'>): void {
    this.#sql.exec(
      'INSERT INTO turns (id, session_id, user_message_id, agent_id, agent_name, started_at) VALUES (?, ?, ?, ?, ?, ?)',
      turn.id,
      turn.session_id,
      turn.user_message_id,
      turn.agent_id,
      turn.agent_name,
      turn.started_at,
    )
  }

  fillOutbox(turnId: string, outbox: string): void {
    this.#sql.exec('UPDATE turns SET outbox = ? WHERE id = ?', outbox, turnId)
  }

  forgetTurn(turnId: string): void {
    this.#sql.exec('DELETE FROM turns WHERE id = ?', turnId)
  }

  turns(): TurnRow[] {
    return this.#sql.exec<TurnRow>('SELECT * FROM turns').toArray()
  }

  addAttachment(row: {
    id: string
    sessionId: string
    messageId: string
    mime: string
    nameSealed: string
    size: number
    wrappedKey: string
    now: number
  }): void {
    this.#sql.exec(
      'INSERT INTO attachments (id, session_id, message_id, mime, name_sealed, size_bytes, wrapped_key, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      row.id,
      row.sessionId,
      row.messageId,
      row.mime,
      row.nameSealed,
      row.size,
      row.wrappedKey,
      row.now,
    )
  }

  repeat(
    key: string,
  ): { body_hash: string; message_id: string; session_id: string; created_at: number } | undefined {
    return this.#sql
      .exec<{ body_hash: string; message_id: string; session_id: string; created_at: number }>(
        'SELECT * FROM repeats WHERE key = ?',
        key,
      )
      .toArray()[0]
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

  setTitle(sessionId: string, sealed: string): void {
    this.#sql.exec(
      'UPDATE sessions SET title_sealed = ?, title_vector_sealed = NULL, title_embedder = NULL WHERE id = ? AND title_by_user = 0',
      sealed,
      sessionId,
    )
  }

  setSummary(sessionId: string, sealed: string, upto: string): void {
    this.#sql.exec(
      'UPDATE sessions SET summary_sealed = ?, summary_upto = ? WHERE id = ?',
      sealed,
      upto,
      sessionId,
    )
  }

  fact(name: string): string | null {
    return (
      this.#sql.exec<{ value: string }>('SELECT value FROM facts WHERE name = ?', name).toArray()[0]
        ?.value ?? null
    )
  }

  dropFact(name: string): void {
    this.#sql.exec('DELETE FROM facts WHERE name = ?', name)
  }

  setFact(name: string, value: string): void {
    this.#sql.exec(
      'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    )
  }
}

export async function sealBody(
  keys: SpaceKeys,
  messageId: string,
  body: MessageBody,
): Promise<string> {
  return keys.seal('messages', 'body', messageId, JSON.stringify(body))
}

/** What a message says, or null when it does not open. */
export async function readBody(
  keys: SpaceKeys,
  row: Pick<MessageRow, 'id' | 'body_sealed'>,
): Promise<MessageBody | null> {
  const body = await keys.read('messages', 'body', row.id, row.body_sealed)
  return body === null ? null : (JSON.parse(body) as MessageBody)
}
