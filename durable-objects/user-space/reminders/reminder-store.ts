import type { ScheduleKind } from '../../../src/chat/turn'
import type { ChannelOutcome, ReminderStatus } from '../../../src/reminders/rules'
import type { AgentRename } from '../core/rename-agent'

/** Values of `handed_on`: a job is to be sent for the other channels, was sent, has reported. */
const TO_HAND_ON = 0
const HANDED_ON = 1
const DELIVERED = 2

/** What an agent wanted to say in a conversation that a person has by now. */
const HELD = `(kind = 'followup' AND source = 'agent' AND EXISTS (
  SELECT 1 FROM sessions s JOIN handoffs h ON h.id = s.handoff_id WHERE s.id = reminders.session_id AND h.status <> 'closed'))`

/** Who wants it told: the user, an agent, a storyline whose time is up, or a person who answers. */
export type ReminderSource = 'manual' | 'agent' | 'storyline' | 'staff'

export interface ReminderRow extends Record<string, SqlStorageValue> {
  id: string
  kind: ScheduleKind
  status: ReminderStatus
  due_at: number
  timezone: string
  source: ReminderSource
  agent_name: string | null
  session_id: string | null
  text_sealed: string
  repeat_key: string | null
  repeat_hash: string | null
  created_at: number
  delivered_at: number | null
  cancelled_at: number | null
  away: number
}

export interface NewReminderRow {
  id: string
  kind: ScheduleKind
  dueAt: number
  timezone: string
  source: ReminderSource
  agentName: string | null
  sessionId: string | null
  textSealed: string
  repeatKey: string | null
  repeatHash: string | null
  now: number
}

/** Reminders and follow-ups of one space, and which other channel tells each of them. */
export class ReminderStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  add(row: NewReminderRow): void {
    this.#sql.exec(
      `INSERT INTO reminders (id, kind, status, due_at, timezone, source, agent_name, session_id, text_sealed, repeat_key, repeat_hash, created_at)
       VALUES (?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.kind,
      row.dueAt,
      row.timezone,
      row.source,
      row.agentName,
      row.sessionId,
      row.textSealed,
      row.repeatKey,
      row.repeatHash,
      row.now,
    )
  }

  /** Other words and another time for a pending one. @returns whether there is such a one. */
  change(
    row: Pick<NewReminderRow, 'id' | 'kind' | 'textSealed' | 'dueAt' | 'timezone'> & {
      sessionId: string
    },
  ): boolean {
    const changed = this.#sql.exec(
      `UPDATE reminders SET text_sealed = ?, due_at = ?, timezone = ?
       WHERE id = ? AND kind = ? AND session_id = ? AND status = 'pending' AND source = 'agent' RETURNING id`,
      row.textSealed,
      row.dueAt,
      row.timezone,
      row.id,
      row.kind,
      row.sessionId,
    )
    return changed.toArray().length > 0
  }

  get(id: string): ReminderRow | undefined {
    return this.#sql.exec<ReminderRow>('SELECT * FROM reminders WHERE id = ?', id).toArray()[0]
  }

  repeated(key: string, since: number): ReminderRow | undefined {
    return this.#sql
      .exec<ReminderRow>(
        'SELECT * FROM reminders WHERE repeat_key = ? AND created_at > ?',
        key,
        since,
      )
      .toArray()[0]
  }

  /** Most recently created first; `after` is the position of the last one seen. */
  list(after: { createdAt: number; id: string } | null, limit: number): ReminderRow[] {
    return this.#sql
      .exec<ReminderRow>(
        `SELECT * FROM reminders WHERE kind = 'reminder' AND (?1 IS NULL OR (created_at, id) < (?1, ?2))
         ORDER BY created_at DESC, id DESC LIMIT ?3`,
        after?.createdAt ?? null,
        after?.id ?? null,
        limit,
      )
      .toArray()
  }

  countPending(): number {
    return this.#sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM reminders WHERE status = 'pending'")
      .one().n
  }

  setStatus(id: string, status: ReminderStatus, now: number): void {
    this.#sql.exec(
      `UPDATE reminders SET status = ?2, delivered_at = iif(?2 = 'sent', ?3, NULL),
         cancelled_at = iif(?2 = 'cancelled', ?3, NULL) WHERE id = ?1`,
      id,
      status,
      now,
    )
  }

  renameAgent({ from, to, renamedAt }: AgentRename): void {
    this.#sql.exec(
      'UPDATE reminders SET agent_name = ? WHERE agent_name = ? AND created_at < ?',
      to,
      from,
      renamedAt,
    )
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM reminders WHERE id = ?', id)
    this.#sql.exec('DELETE FROM reminder_channels WHERE reminder_id = ?', id)
  }

  removeAll(): void {
    this.#sql.exec('DELETE FROM reminders')
  }

  /** What an agent wanted to come back to in a session that is gone. */
  removeFollowUps(sessionId: string): void {
    this.#sql.exec("DELETE FROM reminders WHERE session_id = ? AND kind = 'followup'", sessionId)
  }

  due(now: number, limit: number): ReminderRow[] {
    return this.#sql
      .exec<ReminderRow>(
        `SELECT * FROM reminders WHERE status = 'pending' AND due_at <= ? AND NOT ${HELD} ORDER BY due_at, id LIMIT ?`,
        now,
        limit,
      )
      .toArray()
  }

  nextDue(): number | null {
    return this.#sql
      .exec<{ due: number | null }>(
        `SELECT min(due_at) AS due FROM reminders WHERE status = 'pending' AND NOT ${HELD}`,
      )
      .one().due
  }

  /** It was told here. @param goesOn whether the other channels are still to tell it. */
  noteTold(id: string, isAway: boolean, goesOn: boolean): void {
    this.#sql.exec(
      'UPDATE reminders SET away = ?, handed_on = ? WHERE id = ?',
      isAway ? 1 : 0,
      goesOn ? TO_HAND_ON : DELIVERED,
      id,
    )
  }

  /** What is to be handed on, and what was and has not been heard of since `heardSince`. */
  unhanded(heardSince: number): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `SELECT id FROM reminders WHERE status = 'sent'
         AND (handed_on = ${TO_HAND_ON} OR (handed_on = ${HANDED_ON} AND handed_at <= ?))`,
        heardSince,
      )
      .toArray()
      .map(({ id }) => id)
  }

  /** When the delivery that was handed on first was last heard of. */
  firstHanded(): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        `SELECT min(handed_at) AS at FROM reminders WHERE handed_on = ${HANDED_ON}`,
      )
      .one().at
  }

  /** A job was sent for it; that may have been faster. */
  noteHanded(id: string, now: number): void {
    this.#sql.exec(
      `UPDATE reminders SET handed_on = ${HANDED_ON}, handed_at = ? WHERE id = ? AND handed_on <> ${DELIVERED}`,
      now,
      id,
    )
  }

  /** Its job is at work, or will be at the given time. */
  noteHeard(id: string, at: number): void {
    this.#sql.exec(
      `UPDATE reminders SET handed_at = ? WHERE id = ? AND handed_on = ${HANDED_ON}`,
      at,
      id,
    )
  }

  noteDelivered(id: string): void {
    this.#sql.exec(`UPDATE reminders SET handed_on = ${DELIVERED} WHERE id = ?`, id)
  }

  /** @param heldSince a claim that is older has run out. @returns whether the channel is the caller's now. */
  claim(id: string, channel: string, now: number, heldSince: number): boolean {
    const taken = this.#sql.exec(
      `INSERT INTO reminder_channels (reminder_id, channel, claimed_at)
       SELECT id, ?2, ?3 FROM reminders WHERE id = ?1
       ON CONFLICT DO UPDATE SET claimed_at = ?3 WHERE outcome IS NULL AND claimed_at <= ?4
       RETURNING channel`,
      id,
      channel,
      now,
      heldSince,
    )
    return taken.toArray().length > 0
  }

  outcomes(id: string): { channel: string; outcome: ChannelOutcome | null }[] {
    return this.#sql
      .exec<{ channel: string; outcome: ChannelOutcome | null }>(
        'SELECT channel, outcome FROM reminder_channels WHERE reminder_id = ?',
        id,
      )
      .toArray()
  }

  settle(id: string, channel: string, outcome: ChannelOutcome): void {
    this.#sql.exec(
      'UPDATE reminder_channels SET outcome = ? WHERE reminder_id = ? AND channel = ?',
      outcome,
      id,
      channel,
    )
  }

  release(id: string, channel: string): void {
    this.#sql.exec(
      'DELETE FROM reminder_channels WHERE reminder_id = ? AND channel = ?',
      id,
      channel,
    )
  }
}
