import { HOUR_MS, STREAMS } from '../../../src/config/limits'
import { LASTING_EVENTS } from '../../../src/streams/events'

export const EVENT_KEPT_MS = STREAMS.keptHours * HOUR_MS
const REPLAY_BATCH = 200
const PURGE_BATCH = 50
const LASTING = LASTING_EVENTS.map((type) => `'${type}'`).join(', ')

export interface EventRow extends Record<string, SqlStorageValue> {
  id: number
  type: string
  ref: string
  body_sealed: string
}

/** What the streams of a space were told. */
export class EventStore {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
  }

  /** @returns its id, above all before it. */
  add(type: string, ref: string, sealed: string, now: number): number {
    const { id } = this.#sql
      .exec<{ id: number }>(
        'INSERT INTO events (type, ref, body_sealed, created_at, heard) VALUES (?, ?, ?, ?, 0) RETURNING id',
        type,
        ref,
        sealed,
        now,
      )
      .one()
    this.purge(now)
    return id
  }

  markHeard(id: number): void {
    this.#sql.exec('UPDATE events SET heard = 1 WHERE heard = 0 AND id <= ?', id)
  }

  /** Reminders and follow-ups of the last day that nobody is known to have heard. */
  unheard(now: number): EventRow[] {
    return this.#sql
      .exec<EventRow>(
        `SELECT id, type, ref, body_sealed FROM events
         WHERE heard = 0 AND type IN (${LASTING}) AND created_at > ? ORDER BY id`,
        now - EVENT_KEPT_MS,
      )
      .toArray()
  }

  /** Some of what came after an event. */
  after(id: number, now: number): EventRow[] {
    return this.#sql
      .exec<EventRow>(
        'SELECT id, type, ref, body_sealed FROM events WHERE id > ? AND created_at > ? ORDER BY id LIMIT ?',
        id,
        now - EVENT_KEPT_MS,
        REPLAY_BATCH,
      )
      .toArray()
  }

  lastId(): number {
    return this.#sql.exec<{ id: number | null }>('SELECT max(id) AS id FROM events').one().id ?? 0
  }

  /** The newest row always stays, so that ids go on rising from it. */
  purge(now: number): void {
    this.#sql.exec(
      `DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ?1)
         AND id < (SELECT max(id) FROM events)
         AND (created_at <= ?2 OR (id <= (SELECT max(id) FROM events) - ?3 AND type NOT IN (${LASTING})))`,
      PURGE_BATCH,
      now - EVENT_KEPT_MS,
      STREAMS.keptEvents,
    )
  }

  removeAll(): void {
    this.#sql.exec('DELETE FROM events')
  }
}
