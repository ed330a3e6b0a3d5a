import type { SessionRow } from './session-row'

/** Four turns of two messages: with the one that shows it, five. */
const CALL_FREE_MESSAGES = 8

/** The sessions of one space. What it stores is sealed already. */
export class SessionStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  get(id: string): SessionRow | undefined {
    return this.#sql.exec<SessionRow>('SELECT * FROM sessions WHERE id = ?', id).toArray()[0]
  }

  /** Without reading it: a row is wide. */
  has(id: string): boolean {
    return this.#sql.exec('SELECT 1 FROM sessions WHERE id = ?', id).toArray().length > 0
  }

  /** Where it stands with people, for each turn. */
  standing(id: string): Pick<SessionRow, 'handoff_id' | 'misses'> | undefined {
    return this.#sql
      .exec<Pick<SessionRow, 'handoff_id' | 'misses'>>(
        'SELECT handoff_id, misses FROM sessions WHERE id = ?',
        id,
      )
      .toArray()[0]
  }

  byAlias(alias: string): SessionRow | undefined {
    return this.#sql.exec<SessionRow>('SELECT * FROM sessions WHERE alias = ?', alias).toArray()[0]
  }

  /**
   * Newest first; `after` is the position of the last one seen. At most one session was ranked before that position and
   * changed after it.
   */
  list(after: { updatedAt: number; id: string } | null, limit: number): SessionRow[] {
    return this.#sql
      .exec<SessionRow>(
        `SELECT * FROM sessions WHERE ranked_at <= ?1 AND (updated_at, id) < (?1, ?2)
         ORDER BY ranked_at DESC, id DESC LIMIT ?3`,
        after?.updatedAt ?? Number.MAX_SAFE_INTEGER,
        after?.id ?? '',
        limit,
      )
      .toArray()
  }

  /** Newest first. */
  all(): SessionRow[] {
    return this.#sql
      .exec<SessionRow>('SELECT * FROM sessions ORDER BY updated_at DESC, id DESC')
      .toArray()
  }

  /** Whether an agent was talked to in another session. */
  hasOthers(agentId: string, id: string): boolean {
    const others = this.#sql.exec(
      'SELECT 1 FROM sessions WHERE agent_id = ? AND id <> ? LIMIT 1',
      agentId,
      id,
    )
    return others.toArray().length > 0
  }

  count(): number {
    return this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM sessions').one().n
  }

  /** When the newest was changed, milliseconds since 1970; 0 without any. */
  changedAt(): number {
    return this.#first()?.updated_at ?? 0
  }

  add(session: {
    id: string
    agentId: string
    agentName: string
    channel: string
    alias: string | null
    now: number
  }): void {
    this.#sql.exec(
      'INSERT INTO sessions (id, agent_id, agent_name, channel, alias, created_at, updated_at, ranked_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?6)',
      session.id,
      session.agentId,
      session.agentName,
      session.channel,
      session.alias,
      session.now,
    )
  }

  /** A session that goes on from a message of another one. */
  addBranch(
    from: SessionRow,
    branch: {
      id: string
      titleSealed: string | null
      prefillSealed: string | null
      messages: number
      now: number
    },
  ): void {
    this.#sql.exec(
      `INSERT INTO sessions (id, agent_id, agent_name, channel, title_sealed, title_by_user, message_count, read_count, forked_from, prefill_sealed, created_at, updated_at, ranked_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?10, ?10)`,
      branch.id,
      from.agent_id,
      from.agent_name,
      from.channel,
      branch.titleSealed,
      from.title_by_user,
      branch.messages,
      from.id,
      branch.prefillSealed,
      branch.now,
    )
  }

  /** So many messages more (two, where it is not said), who answered last, whether nothing was found, and what is to be handed on. */
  closeTurn(
    id: string,
    turn: {
      agentId: string
      agentName: string
      now: number
      added?: number
      found?: 'found' | 'missed' | 'offered'
      outbox: string
    },
  ): void {
    this.#rank(id, turn.now)
    this.#sql.exec(
      `UPDATE sessions SET message_count = message_count + ?6, read_count = min(read_count, message_count + ?6), agent_id = ?2, agent_name = ?3, updated_at = ?4,
         misses = CASE WHEN misses < 0 OR ?5 = 'offered' THEN -1 WHEN ?5 = 'missed' THEN misses + 1 ELSE 0 END, outbox = ?7
       WHERE id = ?1`,
      id,
      turn.agentId,
      turn.agentName,
      turn.now,
      turn.found ?? 'found',
      turn.added ?? 2,
      turn.outbox,
    )
  }

  /** A call to action was shown with the turn that was just closed: none is in the next ones. */
  noteCall(id: string): void {
    this.#sql.exec(
      'UPDATE sessions SET cta_from = message_count + ? WHERE id = ? AND cta_from IS NOT NULL',
      CALL_FREE_MESSAGES,
      id,
    )
  }

  /** Whether a call to action may be shown in it now. */
  mayCall(id: string): boolean {
    const session = this.get(id)
    return session != null && session.cta_from !== null && session.message_count >= session.cta_from
  }

  /** No call to action is shown any more. */
  dismissCalls(id: string): void {
    this.#sql.exec('UPDATE sessions SET cta_from = NULL WHERE id = ?', id)
  }

  /** Before a session changes: it is the newest from then on. Two that change in the same millisecond are sorted by their ids. */
  #rank(id: string, now: number): void {
    const first = this.#first()
    if (!first || first.id === id) return
    const rank = 'UPDATE sessions SET ranked_at = ? WHERE id = ?'
    this.#sql.exec(rank, now, id)
    if (first.updated_at >= now) this.#sql.exec(rank, first.updated_at, first.id)
  }

  #first(): { id: string; updated_at: number } | undefined {
    return this.#sql
      .exec<{ id: string; updated_at: number }>(
        'SELECT id, updated_at FROM sessions ORDER BY ranked_at DESC, id DESC LIMIT 1',
      )
      .toArray()[0]
  }

  /** After sessions came from elsewhere: each stands where it was changed last. */
  rankAll(): void {
    this.#sql.exec('UPDATE sessions SET ranked_at = updated_at WHERE ranked_at <> updated_at')
  }

  /** @param handoffId null once the agent answers again. */
  setHandoff(id: string, handoffId: string | null): void {
    this.#sql.exec('UPDATE sessions SET handoff_id = ? WHERE id = ?', handoffId, id)
  }

  /** One message more that nobody asked for. */
  countMessage(id: string, now: number): void {
    this.#rank(id, now)
    this.#sql.exec(
      'UPDATE sessions SET message_count = message_count + 1, updated_at = ? WHERE id = ?',
      now,
      id,
    )
  }

  /** So many messages less. */
  uncountMessages(id: string, gone = 1): void {
    this.#sql.exec(
      `UPDATE sessions SET message_count = max(0, message_count - ?2),
         read_count = min(read_count, max(0, message_count - ?2)) WHERE id = ?1`,
      id,
      gone,
    )
  }

  /** Other messages stand in the place of some: who had read all of them has read these. */
  exchangeMessages(id: string, gone: number, come: number): void {
    this.#sql.exec(
      `UPDATE sessions SET message_count = message_count - ?2 + ?3,
         read_count = CASE WHEN read_count >= message_count THEN message_count - ?2 + ?3
           ELSE min(read_count, message_count - ?2 + ?3) END WHERE id = ?1`,
      id,
      gone,
      come,
    )
  }

  markRead(id: string): void {
    this.#sql.exec('UPDATE sessions SET read_count = message_count WHERE id = ?', id)
  }

  /** The user's own title: from now on no other is made. */
  rename(id: string, titleSealed: string): void {
    this.#sql.exec(
      'UPDATE sessions SET title_sealed = ?, title_by_user = 1, title_vector_sealed = NULL, title_embedder = NULL WHERE id = ?',
      titleSealed,
      id,
    )
  }

  setTitle(id: string, titleSealed: string): void {
    this.#sql.exec(
      'UPDATE sessions SET title_sealed = ?, title_vector_sealed = NULL, title_embedder = NULL WHERE id = ? AND title_by_user = 0',
      titleSealed,
      id,
    )
  }

  /** Not for a title that was changed meanwhile. */
  setTitleVector(id: string, titleSealed: string, vectorSealed: string, embedder: string): void {
    this.#sql.exec(
      'UPDATE sessions SET title_vector_sealed = ?, title_embedder = ? WHERE id = ? AND title_sealed = ?',
      vectorSealed,
      embedder,
      id,
      titleSealed,
    )
  }

  dropTitleVectors(): void {
    this.#sql.exec(
      'UPDATE sessions SET title_vector_sealed = NULL, title_embedder = NULL WHERE title_vector_sealed IS NOT NULL',
    )
  }

  countTitleVectors(): number {
    return this.#sql
      .exec<{ n: number }>('SELECT count(title_vector_sealed) AS n FROM sessions')
      .one().n
  }

  setSummary(id: string, sealed: string, upto: string): void {
    this.#sql.exec(
      'UPDATE sessions SET summary_sealed = ?, summary_upto = ? WHERE id = ?',
      sealed,
      upto,
      id,
    )
  }

  /** Forgets a summary that tells of a message, which is no longer there or no longer says the same, or of what came after it. */
  dropSummary(id: string, messageId: string): void {
    this.#sql.exec(
      'UPDATE sessions SET summary_sealed = NULL, summary_upto = NULL WHERE id = ? AND summary_upto >= ?',
      id,
      messageId,
    )
  }

  /** @returns the ids of the sessions whose agent has another name now. */
  renameAgent(agentId: string, to: string): string[] {
    return this.#sql
      .exec<{ id: string }>(
        'UPDATE sessions SET agent_name = ? WHERE agent_id = ? AND agent_name <> ? RETURNING id',
        to,
        agentId,
        to,
      )
      .toArray()
      .map(({ id }) => id)
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM sessions WHERE id = ?', id)
  }
}
