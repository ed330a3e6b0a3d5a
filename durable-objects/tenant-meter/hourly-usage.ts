import { HOUR_MS } from '../../src/config/limits'
import type { UsageEntry } from '../../src/usage/meter-types'
import { sumTokensOf } from '../../src/users/tokens-24h'

const FLUSH_ROWS = 500
const KEPT_MS = 48 * HOUR_MS

/** What was used, by the hour: kept here until D1 has it. */
export class HourlyUsage {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  readonly #db: D1Database

  constructor(storage: DurableObjectStorage, db: D1Database) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#db = db
  }

  book(entry: UsageEntry, now: number): void {
    const hour = Math.floor(now / HOUR_MS) * HOUR_MS
    this.#sql.exec(
      `INSERT INTO usage (hour, agent_id, user_id, space_id, model, kind, requests, input_tokens, output_tokens, cached_tokens, estimated_tokens, events, dirty)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
       ON CONFLICT (hour, agent_id, user_id, space_id, model, kind) DO UPDATE SET
         requests = requests + excluded.requests, input_tokens = input_tokens + excluded.input_tokens,
         output_tokens = output_tokens + excluded.output_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
         estimated_tokens = estimated_tokens + excluded.estimated_tokens, events = events + excluded.events, dirty = 1`,
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
    )
  }

  purge(now: number): void {
    this.#sql.exec('DELETE FROM usage WHERE dirty = 0 AND hour < ?', now - KEPT_MS)
  }

  /** Writes changed rows to D1. Absolute values, so that a crash between D1 and the mark only repeats the same write. */
  async flush(tenantId: string): Promise<boolean> {
    for (;;) {
      const rows = this.#sql
        .exec<Record<string, SqlStorageValue>>(
          'SELECT * FROM usage WHERE dirty = 1 LIMIT ?',
          FLUSH_ROWS,
        )
        .toArray()
      if (rows.length === 0) return true
      try {
        await this.#write(tenantId, JSON.stringify(rows))
      } catch {
        return false
      }
      this.#storage.transactionSync(() => {
        for (const row of rows) this.#markWritten(row)
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
    await this.#db.batch([upsert, sumTokensOf(this.#db, tenantId, rows, Date.now())])
  }

  #markWritten(row: Record<string, SqlStorageValue>): void {
    this.#sql.exec(
      `UPDATE usage SET dirty = 0 WHERE hour = ? AND agent_id = ? AND user_id = ? AND space_id = ? AND model = ? AND kind = ?
         AND requests = ? AND input_tokens = ? AND output_tokens = ? AND events = ?`,
      row.hour,
      row.agent_id,
      row.user_id,
      row.space_id,
      row.model,
      row.kind,
      row.requests,
      row.input_tokens,
      row.output_tokens,
      row.events,
    )
  }
}
