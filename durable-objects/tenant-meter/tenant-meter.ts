import { DurableObject } from 'cloudflare:workers'
import { HOUR_MS } from '../../src/config/limits'
import { sendJobs } from '../../src/platform/queue'
import { StreamLeases } from '../../src/streams/leases'
import type { AdmitRequest, AdmitResult, MeterFacts, UsageEntry } from '../../src/usage/meter-types'
import { type KnownModel, type ModelHealth, noteModel } from '../../src/usage/model-status'
import { monthOf, nextMonth, type QuotaSnapshot, quotaSnapshot } from '../../src/usage/quota'
import { countCall, type RateWindow, type WindowRule } from '../../src/usage/windows'
import { sumTokensOf } from '../../src/users/tokens-24h'
import { migrate } from '../migrate'
import { METER_MIGRATIONS } from './schema'

const FLUSH_DELAY_MS = 15_000
const FLUSH_ROWS = 500
const KEEP_USAGE_MS = 48 * HOUR_MS
const SETTLED_KEPT_MS = 24 * HOUR_MS
/** Longer than any window: what is older counts nothing, and sign-in names one for every address that is tried. */
const WINDOW_KEPT_MS = 24 * HOUR_MS
/** Windows up to this long live in memory: an object that is called often enough to reach a limit is not evicted. */
const MEMORY_WINDOW_S = 60

/**
 * Token reservations, rate windows and hourly usage of one tenant (named by the tenant's id), or the rate windows
 * of one class and address (named `address:{class}:{address}`).
 */
export class TenantMeter extends DurableObject<Env> {
  readonly #sql: SqlStorage
  readonly #windows = new Map<string, RateWindow>()
  readonly #streams = new StreamLeases()
  #facts: { status: string | null; ceiling: number | null | undefined } = {
    status: null,
    ceiling: undefined,
  }
  #tenant: string | null = null
  #models: readonly KnownModel[] = []
  #revoked = new Set<string>()
  #reservations = new Map<string, { tokens: number; expiresAt: number }>()
  #reserved = 0
  /** The ceiling as the last admission knew it; undefined until there was one. */
  #limit: number | null | undefined
  #month = ''
  #warned = ''
  #used = 0
  #alarmAt: number | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#sql = ctx.storage.sql
    void ctx.blockConcurrencyWhile(async () => {
      migrate(ctx.storage, METER_MIGRATIONS)
      this.#load()
      this.#alarmAt = await ctx.storage.getAlarm()
    })
  }

  #load(): void {
    for (const { name, value } of this.#sql.exec<{ name: string; value: string }>(
      'SELECT name, value FROM facts',
    )) {
      if (name === 'status') this.#facts.status = value
      if (name === 'tenant') this.#tenant = value
      if (name === 'warned') this.#warned = value
      if (name === 'models') this.#models = JSON.parse(value) as KnownModel[]
      if (name === 'ceiling') this.#facts.ceiling = value === 'null' ? null : Number(value)
    }
    for (const { id } of this.#sql.exec<{ id: string }>('SELECT id FROM revoked_keys'))
      this.#revoked.add(id)
    const rows = this.#sql.exec<{ id: string; tokens: number; expires_at: number }>(
      'SELECT id, tokens, expires_at FROM reservations WHERE settled = 0',
    )
    for (const row of rows) {
      this.#reservations.set(row.id, { tokens: row.tokens, expiresAt: row.expires_at })
      this.#reserved += row.tokens
    }
  }

  #usedIn(month: string): number {
    if (month !== this.#month) {
      const row = this.#sql
        .exec<{ used: number }>('SELECT used FROM months WHERE month = ?', month)
        .toArray()[0]
      this.#month = month
      this.#used = row?.used ?? 0
    }
    return this.#used
  }

  /** Checks key, tenant, rate and quota and reserves the tokens, in one step without any wait. */
  async admit(request: AdmitRequest): Promise<AdmitResult> {
    const now = Date.now()
    const refusal = this.#refusal(request.keyId)
    if (refusal) return { ok: false, ...refusal }
    const rate = this.#count(request.windows, now)
    if (!rate.ok) return { ok: false, reason: 'rate', retryAfterS: rate.retryAfterS }
    if (!this.#reserve(request.id, request.tokens, request.expiresAt, request.ceiling, now)) {
      return { ok: false, reason: 'quota', retryAfterS: Math.ceil((nextMonth(now) - now) / 1000) }
    }
    return { ok: true }
  }

  /** Raises a running turn's reservation before a further model call. @returns false when the ceiling forbids it. */
  async extend(
    id: string,
    tokens: number,
    ceiling: number | null,
    expiresAt: number,
  ): Promise<boolean> {
    return this.#reserve(id, tokens, expiresAt, ceiling, Date.now())
  }

  #reserve(
    id: string,
    tokens: number,
    expiresAt: number,
    ceiling: number | null,
    now: number,
  ): boolean {
    const limit = this.#facts.ceiling === undefined ? ceiling : this.#facts.ceiling
    this.#limit = limit
    if (limit !== null) {
      if (this.#usedIn(monthOf(now)) + this.#reserved + tokens > limit) this.#dropExpired(now)
      if (this.#usedIn(monthOf(now)) + this.#reserved + tokens > limit) return false
    }
    const total = (this.#reservations.get(id)?.tokens ?? 0) + tokens
    this.#sql.exec(
      'INSERT INTO reservations (id, tokens, expires_at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET tokens = excluded.tokens, expires_at = excluded.expires_at',
      id,
      total,
      expiresAt,
    )
    this.#reservations.set(id, { tokens: total, expiresAt })
    this.#reserved += tokens
    return true
  }

  #dropExpired(now: number): void {
    for (const [id, reservation] of this.#reservations) {
      if (reservation.expiresAt > now) continue
      this.#sql.exec('DELETE FROM reservations WHERE id = ? AND settled = 0', id)
      this.#forget(id)
    }
  }

  #forget(id: string): void {
    this.#reserved -= this.#reservations.get(id)?.tokens ?? 0
    this.#reservations.delete(id)
  }

  /**
   * Ends a reservation and books what was used, once per id: a repeat changes nothing.
   * An expired reservation is booked all the same, because the tokens were spent. No entries: a release.
   * @param health how the model did that was called.
   */
  async settle(
    tenantId: string,
    id: string,
    entries: UsageEntry[],
    health: ModelHealth | null = null,
  ): Promise<void> {
    const now = Date.now()
    if (
      !this.#reservations.has(id) &&
      this.#sql.exec('SELECT 1 FROM reservations WHERE id = ? AND settled = 1', id).toArray()
        .length > 0
    )
      return
    this.#remember(tenantId)
    if (health) this.#noteModel(health, now)
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec(
        'INSERT INTO reservations (id, tokens, expires_at, settled) VALUES (?, 0, ?, 1) ON CONFLICT (id) DO UPDATE SET settled = 1, expires_at = excluded.expires_at',
        id,
        now + SETTLED_KEPT_MS,
      )
      this.#forget(id)
      for (const entry of entries) this.#book(entry, now)
      this.#addToMonth(entries, now)
    })
    if (entries.length === 0) return
    await this.#armFlush(now)
    await this.#warn(tenantId, now)
  }

  /** Tells webhooks once a month that the ceiling is near. The mark follows the message: a repeat is the same event. */
  async #warn(tenantId: string, now: number): Promise<void> {
    const period = monthOf(now)
    if (this.#limit === null || this.#limit === undefined || this.#warned === period) return
    if (quotaSnapshot(this.#usedIn(period), this.#limit, now).state === 'ok') return
    const event = { type: 'quota.warning', key: period, data: { period }, at: now } as const
    await sendJobs(this.env, [{ type: 'event.emit', tenantId, event }])
    this.#warned = period
    this.#sql.exec(
      "INSERT INTO facts (name, value) VALUES ('warned', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      period,
    )
  }

  #book(entry: UsageEntry, now: number): void {
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

  #addToMonth(entries: UsageEntry[], now: number): void {
    const total = entries.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0)
    if (total === 0) return
    const month = monthOf(now)
    this.#used = this.#usedIn(month) + total
    this.#sql.exec(
      'INSERT INTO months (month, used) VALUES (?, ?) ON CONFLICT (month) DO UPDATE SET used = excluded.used',
      month,
      this.#used,
    )
  }

  #noteModel(health: ModelHealth, now: number): void {
    const known = noteModel(this.#models, health, now)
    if (known === this.#models) return
    this.#models = known
    this.#sql.exec(
      "INSERT INTO facts (name, value) VALUES ('models', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      JSON.stringify(known),
    )
  }

  /** How the tenant's models do, the newest word first. */
  async models(): Promise<KnownModel[]> {
    return [...this.#models]
  }

  /** Counts one call in every window, or in none when one is full. */
  async take(windows: WindowRule[]): Promise<{ ok: true } | { ok: false; retryAfterS: number }> {
    return this.#count(windows, Date.now())
  }

  #count(rules: WindowRule[], now: number): { ok: true } | { ok: false; retryAfterS: number } {
    const counted: [WindowRule, RateWindow][] = []
    for (const rule of rules) {
      const result = countCall(this.#windowOf(rule), rule, now)
      if (!result.ok) return result
      counted.push([rule, result.window])
    }
    for (const [rule, window] of counted) {
      this.#windows.set(rule.name, window)
      if (rule.windowS > MEMORY_WINDOW_S) {
        this.#sql.exec(
          'INSERT INTO windows (name, started_at, count) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at, count = excluded.count',
          rule.name,
          window.startedAt,
          window.count,
        )
      }
    }
    if (this.#windows.size > 10_000) this.#forgetOldWindows(now)
    return { ok: true }
  }

  #windowOf(rule: WindowRule): RateWindow | undefined {
    const known = this.#windows.get(rule.name)
    if (known || rule.windowS <= MEMORY_WINDOW_S) return known
    const row = this.#sql
      .exec<{ started_at: number; count: number }>(
        'SELECT started_at, count FROM windows WHERE name = ?',
        rule.name,
      )
      .toArray()[0]
    return row && { startedAt: row.started_at, count: row.count }
  }

  #forgetOldWindows(now: number): void {
    for (const [name, window] of this.#windows)
      if (window.startedAt < now - HOUR_MS) this.#windows.delete(name)
  }

  /** What a management write changed: effective from the next admission. */
  async push(facts: MeterFacts): Promise<void> {
    for (const [name, value] of Object.entries(facts)) {
      this.#sql.exec(
        'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        name,
        String(value),
      )
    }
    if (facts.status !== undefined) this.#facts.status = facts.status
    if (facts.ceiling !== undefined) this.#facts.ceiling = facts.ceiling
  }

  /** From now on no call of this key is admitted. */
  async revokeKey(id: string): Promise<void> {
    this.#sql.exec('INSERT OR IGNORE INTO revoked_keys (id) VALUES (?)', id)
    this.#revoked.add(id)
  }

  /** Why the key or the tenant may not act, or null: what an open stream asks once per ping. */
  async refusal(keyId: string | null): Promise<{ reason: 'revoked' | 'suspended' } | null> {
    return this.#refusal(keyId)
  }

  #refusal(keyId: string | null): { reason: 'revoked' | 'suspended' } | null {
    if (keyId !== null && this.#revoked.has(keyId)) return { reason: 'revoked' }
    if (this.#facts.status === null || this.#facts.status === 'active') return null
    return { reason: 'suspended' }
  }

  /** @returns false when the user holds as many streams as allowed. A lease that is not renewed runs out. */
  async openStream(
    userId: string,
    streamId: string,
    limit: number,
    leaseMs: number,
  ): Promise<boolean> {
    const now = Date.now()
    return this.#streams.open(userId, streamId, limit, now, now + leaseMs)
  }

  /** Renews the leases of an isolate's streams. @returns whether the tenant is suspended and which of the keys are revoked. */
  async renewStreams(
    leases: readonly (readonly [userId: string, streamId: string])[],
    keyIds: readonly string[],
    leaseMs: number,
  ): Promise<{ suspended: boolean; revoked: string[] }> {
    const now = Date.now()
    this.#streams.sweep(now)
    this.#streams.renew(leases, now + leaseMs)
    return {
      suspended: this.#refusal(null) !== null,
      revoked: keyIds.filter((id) => this.#revoked.has(id)),
    }
  }

  async closeStream(userId: string, streamId: string): Promise<void> {
    this.#streams.close(userId, streamId)
  }

  async quota(ceiling: number | null): Promise<QuotaSnapshot> {
    const now = Date.now()
    const limit = this.#facts.ceiling === undefined ? ceiling : this.#facts.ceiling
    return quotaSnapshot(this.#usedIn(monthOf(now)), limit, now)
  }

  /** Writes changed hourly rows to D1 now, so that a usage report that follows is exact. */
  async flush(tenantId: string): Promise<void> {
    this.#remember(tenantId)
    await this.#flush(tenantId)
  }

  /** An alarm does not know the object's name, so the tenant's id is kept beside the usage. */
  #remember(tenantId: string): void {
    if (this.#tenant === tenantId) return
    this.#tenant = tenantId
    this.#sql.exec(
      "INSERT INTO facts (name, value) VALUES ('tenant', ?) ON CONFLICT (name) DO NOTHING",
      tenantId,
    )
  }

  async #armFlush(now: number): Promise<void> {
    if (this.#alarmAt !== null && this.#alarmAt > now) return
    this.#alarmAt = now + FLUSH_DELAY_MS
    await this.ctx.storage.setAlarm(this.#alarmAt)
  }

  override async alarm(): Promise<void> {
    const now = Date.now()
    this.#alarmAt = null
    this.#dropExpired(now)
    this.#sql.exec('DELETE FROM reservations WHERE settled = 1 AND expires_at < ?', now)
    this.#sql.exec('DELETE FROM windows WHERE started_at < ?', now - WINDOW_KEPT_MS)
    const done = this.#tenant === null || (await this.#flush(this.#tenant))
    this.#sql.exec('DELETE FROM usage WHERE dirty = 0 AND hour < ?', now - KEEP_USAGE_MS)
    if (!done) await this.#armFlush(Date.now())
  }

  /** Absolute values, so that a crash between D1 and the mark only repeats the same write. */
  async #flush(tenantId: string): Promise<boolean> {
    for (;;) {
      const rows = this.#sql
        .exec<Record<string, SqlStorageValue>>(
          'SELECT * FROM usage WHERE dirty = 1 LIMIT ?',
          FLUSH_ROWS,
        )
        .toArray()
      if (rows.length === 0) return true
      try {
        const written = JSON.stringify(rows)
        const upsert = this.env.DB.prepare(
          `INSERT INTO usage_hourly (tenant_id, hour, agent_id, user_id, space_id, model, kind, requests, input_tokens, output_tokens, cached_tokens, estimated_tokens, events)
           SELECT ?1, value ->> 'hour', value ->> 'agent_id', value ->> 'user_id', value ->> 'space_id', value ->> 'model', value ->> 'kind',
             value ->> 'requests', value ->> 'input_tokens', value ->> 'output_tokens', value ->> 'cached_tokens', value ->> 'estimated_tokens', value ->> 'events'
           FROM json_each(?2) WHERE true
           ON CONFLICT (tenant_id, hour, agent_id, user_id, space_id, model, kind) DO UPDATE SET
             requests = max(requests, excluded.requests), input_tokens = max(input_tokens, excluded.input_tokens),
             output_tokens = max(output_tokens, excluded.output_tokens), cached_tokens = max(cached_tokens, excluded.cached_tokens),
             estimated_tokens = max(estimated_tokens, excluded.estimated_tokens),
             events = max(events, excluded.events)`,
        ).bind(tenantId, written)
        await this.env.DB.batch([upsert, sumTokensOf(this.env.DB, tenantId, written, Date.now())])
      } catch {
        return false
      }
      this.ctx.storage.transactionSync(() => {
        for (const row of rows) {
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
      })
    }
  }
}
