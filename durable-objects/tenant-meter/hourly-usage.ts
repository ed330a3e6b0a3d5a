import { HOUR_MS } from '../../src/config/limits'
import { createLog } from '../../src/log'
import type { UsageEntry } from '../../src/usage/meter-types'
import { monthOf, nextMonth } from '../../src/usage/quota'
import { noteSeen } from '../../src/users/note-seen'

const FLUSH_ROWS = 500
/** Rows of older hours go: usage is booked into the last hour at the earliest, and clocks may differ by another. */
const KEPT_MS = 2 * HOUR_MS
/** After a wake rows are kept longer: spaces may settle again what a crash cut off, which the rows' ids recognise. */
const KEPT_AFTER_WAKE_MS = 24 * HOUR_MS
/** Characters of ids that a row keeps: of the turns booked in it the last few dozen are recognised. */
const IDS_LENGTH = 1200

interface UsageRow extends Record<string, SqlStorageValue> {
  hour: number
  agent_id: string
  user_id: string
  space_id: string
  model: string
  kind: string
  requests: number
  input_tokens: number
  output_tokens: number
  events: number
  seen_at: number
  /** Keys behind the turns, each with when it was used last. */
  keys_seen: string
  settled_ids: string
}

/** Usage by the hour, kept here until D1 has it. `months` sums what was written to D1; `tokensInMonth` adds what was not yet. */
export class HourlyUsage {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #db: D1Database

  constructor(storage: DurableObjectStorage, db: D1Database) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#db = db
  }

  /** @param id of a reservation that had no row of its own: the usage row remembers that it is settled. */
  book(entry: UsageEntry, now: number, id: string | null = null): void {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS
    this.#sql.exec(
      `INSERT INTO usage (hour, agent_id, user_id, space_id, model, kind, requests, input_tokens, output_tokens, cached_tokens, estimated_tokens, events, seen_at, keys_seen, settled_ids, dirty)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
       ON CONFLICT (hour, agent_id, user_id, space_id, model, kind) DO UPDATE SET
         requests = requests + excluded.requests, input_tokens = input_tokens + excluded.input_tokens,
         output_tokens = output_tokens + excluded.output_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
         estimated_tokens = estimated_tokens + excluded.estimated_tokens, events = events + excluded.events,
         seen_at = max(seen_at, excluded.seen_at), keys_seen = json_patch(keys_seen, excluded.keys_seen),
         settled_ids = substr(settled_ids || excluded.settled_ids, -${IDS_LENGTH}), dirty = 1`,
      hour,
      entry.agentId,
      entry.userId,
      entry.spaceId,
      entry.model,
      entry.kind,
      entry.requests,
      entry.inputTokens,
      entry.outputTokens,
      entry.cachedTokens,
      entry.estimatedTokens ?? 0,
      entry.events,
      entry.seen?.at ?? 0,
      JSON.stringify(entry.seen?.keyId ? { [entry.seen.keyId]: entry.seen.at } : {}),
      id === null ? '' : ` ${id} `,
    )
  }

  /** Whether a reservation without a row was booked, with this as its first entry. */
  isBooked(id: string, entry: UsageEntry, now: number): boolean {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS
    const hours = Array.from(
      { length: KEPT_AFTER_WAKE_MS / HOUR_MS + 1 },
      (_, n) => hour - n * HOUR_MS,
    )
    const booked = this.#sql.exec(
      `SELECT 1 FROM usage WHERE hour IN (SELECT value FROM json_each(?)) AND agent_id = ? AND user_id = ? AND space_id = ?
         AND model = ? AND kind = ? AND instr(settled_ids, ?) > 0`,
      JSON.stringify(hours),
      entry.agentId,
      entry.userId,
      entry.spaceId,
      entry.model,
      entry.kind,
      ` ${id} `,
    )
    return booked.toArray().length > 0
  }

  /** Tokens used in the month of `now`. */
  tokensInMonth(now: number): number {
    const month = monthOf(now)
    const { used } = this.#sql
      .exec<{ used: number }>(
        `SELECT coalesce((SELECT used FROM months WHERE month = ?), 0) + coalesce(sum(input_tokens + output_tokens - in_month), 0) AS used
         FROM usage WHERE hour >= ? AND hour < ?`,
        month,
        Date.parse(`${month}-01T00:00:00Z`),
        nextMonth(now),
      )
      .one()
    return used
  }

  /** Deletes rows that D1 has. @param justWoke keeps them for a day: spaces may not have settled again yet what a crash cut off */
  purge(now: number, justWoke = false): void {
    const before = now - (justWoke ? KEPT_AFTER_WAKE_MS : KEPT_MS)
    this.#sql.exec(
      'DELETE FROM usage WHERE dirty = 0 AND seen_at <= seen_noted AND hour < ?',
      before,
    )
  }

  /**
   * Writes changed rows to D1, as absolute values: a crash between D1 and `#markWritten` only repeats the same write.
   * @returns false when D1 did not take all of them
   */
  async flush(tenantId: string): Promise<boolean> {
    for (;;) {
      const rows = this.#sql
        .exec<UsageRow>('SELECT * FROM usage WHERE dirty = 1 LIMIT ?', FLUSH_ROWS)
        .toArray()
      if (rows.length === 0) return true
      try {
        await this.#write(tenantId, JSON.stringify(rows, withoutIds))
      } catch (error) {
        createLog('tenant-meter', { tenant_id: tenantId }).error('usage_not_written', error)
        return false
      }
      this.#storage.transactionSync(() => {
        for (const row of rows) this.#markWritten(row)
      })
    }
  }

  /**
   * Tells D1 when the users and keys of hours up to `until` were last seen. A repeat changes nothing.
   * @returns false when D1 could not be told of all
   */
  async noteSeen(tenantId: string, until: number): Promise<boolean> {
    for (;;) {
      const rows = this.#sql
        .exec<UsageRow>(
          'SELECT * FROM usage WHERE hour <= ? AND seen_at > seen_noted LIMIT ?',
          until,
          FLUSH_ROWS,
        )
        .toArray()
      if (rows.length === 0) return true
      try {
        await this.#db.batch(noteSeen(this.#db, tenantId, JSON.stringify(rows, withoutIds)))
      } catch (error) {
        createLog('tenant-meter', { tenant_id: tenantId }).error('seen_not_noted', error)
        return false
      }
      this.#storage.transactionSync(() => {
        for (const row of rows) {
          this.#sql.exec(
            `UPDATE usage SET seen_noted = max(seen_noted, ?)
             WHERE hour = ? AND agent_id = ? AND user_id = ? AND space_id = ? AND model = ? AND kind = ?`,
            row.seen_at,
            ...keyOf(row),
          )
        }
      })
    }
  }

  async #write(tenantId: string, rows: string): Promise<void> {
    const upsert = this.#db
      .prepare(
        `INSERT INTO usage_hourly (tenant_id, hour, agent_id, user_id, space_id, model, kind, requests, input_tokens, output_tokens, cached_tokens, estimated_tokens, events)
         SELECT ?1, value ->> 'hour', value ->> 'agent_id', value ->> 'user_id', value ->> 'space_id', value ->> 'model', value ->> 'kind',
           value ->> 'requests', value ->> 'input_tokens', value ->> 'output_tokens', value ->> 'cached_tokens', value ->> 'estimated_tokens', value ->> 'events'
         FROM json_each(?2) WHERE true
         ON CONFLICT (tenant_id, hour, agent_id, user_id, space_id, model, kind) DO UPDATE SET
           requests = max(requests, excluded.requests), input_tokens = max(input_tokens, excluded.input_tokens),
           output_tokens = max(output_tokens, excluded.output_tokens), cached_tokens = max(cached_tokens, excluded.cached_tokens),
           estimated_tokens = max(estimated_tokens, excluded.estimated_tokens),
           events = max(events, excluded.events)`,
      )
      .bind(tenantId, rows)
    await this.#db.batch([upsert])
  }

  /** The row is in D1 as it was read: it stays dirty only if more was booked since. Another flush may have marked it already. */
  #markWritten(row: UsageRow): void {
    const key = keyOf(row)
    const tokens = row.input_tokens + row.output_tokens
    this.#sql.exec(
      `INSERT INTO months (month, used)
       SELECT ?, ? - in_month FROM usage
       WHERE in_month < ? AND hour = ? AND agent_id = ? AND user_id = ? AND space_id = ? AND model = ? AND kind = ?
       ON CONFLICT (month) DO UPDATE SET used = used + excluded.used`,
      monthOf(row.hour),
      tokens,
      tokens,
      ...key,
    )
    this.#sql.exec(
      `UPDATE usage SET in_month = max(in_month, ?),
         dirty = requests <> ? OR input_tokens <> ? OR output_tokens <> ? OR events <> ?
       WHERE hour = ? AND agent_id = ? AND user_id = ? AND space_id = ? AND model = ? AND kind = ?`,
      tokens,
      row.requests,
      row.input_tokens,
      row.output_tokens,
      row.events,
      ...key,
    )
  }
}

const keyOf = (row: UsageRow) => [
  row.hour,
  row.agent_id,
  row.user_id,
  row.space_id,
  row.model,
  row.kind,
]

const withoutIds = (name: string, value: unknown) => (name === 'settled_ids' ? undefined : value)
