import { DurableObject } from 'cloudflare:workers'
import { HOUR_MS, MINUTE_MS, QUOTA } from '../../src/config/limits'
import { isAddressMeter } from '../../src/platform/stubs'
import { StreamLeases } from '../../src/streams/leases'
import type {
  Admission,
  AdmitRequest,
  AdmitResult,
  MeterFacts,
  Settlement,
  UsageEntry,
} from '../../src/usage/meter-types'
import type { KnownModel, ModelHealth } from '../../src/usage/model-status'
import { nextMonth, type QuotaSnapshot, quotaSnapshot } from '../../src/usage/quota'
import type { WindowRule } from '../../src/usage/windows'
import { migrate } from '../migrate'
import { AddressWindows } from './address-windows'
import { HourlyUsage } from './hourly-usage'
import { RateWindows, type Taken } from './rate-windows'
import { METER_MIGRATIONS } from './schema'
import { SoonBooked } from './soon-booked'
import { type Refusal, TenantFacts } from './tenant-facts'
import { TokenLedger } from './token-ledger'
import { UserDays } from './user-days'
import { WarningEvents } from './warning-events'

/** Usage is written to D1 this long after it was booked at the latest. A report has it written first, so it never lags. */
const FLUSH_DELAY_MS = 5 * MINUTE_MS

/** The refusal when the tokens would fit but for what running turns have reserved: part of that is free again in a moment. */
const FREE_SOON: Admission = { ok: false, reason: 'rate', retryAfterS: QUOTA.runningRetryS }

/**
 * Token reservations, rate windows and hourly usage of one tenant (named by the tenant's id), or the rate windows
 * of one class and address (named `address:{class}:{address}`). A plain turn calls it once: `admit` reserves for the new turn
 * and books what the last one used. `settle` books at once, for turns that cannot wait for a next one.
 */
export class TenantMeter extends DurableObject<Env> {
  readonly #facts: TenantFacts
  readonly #ledger: TokenLedger
  readonly #windows: RateWindows
  /** Of an address, whose windows are all that there is. */
  readonly #address: AddressWindows | null
  readonly #usage: HourlyUsage
  readonly #days: UserDays
  readonly #warnings: WarningEvents
  readonly #streams = new StreamLeases()
  readonly #soon = new SoonBooked(
    (tenantId, settled) => this.#book(tenantId, settled),
    (tenantId) => this.#tellBooked(tenantId),
  )
  /** The ceiling as the last admission knew it; undefined until there was one. */
  #limit: number | null | undefined
  #alarmAt: number | null = null
  readonly #wokeAt = Date.now()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    const { sql } = ctx.storage
    this.#facts = new TenantFacts(sql)
    this.#windows = new RateWindows(sql)
    this.#address = isAddressMeter(ctx.id) ? new AddressWindows(ctx.storage) : null
    this.#usage = new HourlyUsage(ctx.storage, env.DB)
    this.#ledger = new TokenLedger(sql, this.#usage)
    this.#days = new UserDays(sql)
    this.#warnings = new WarningEvents(env, this.#facts, this.#ledger)
    if (this.#address) return
    void ctx.blockConcurrencyWhile(async () => {
      migrate(ctx.storage, METER_MIGRATIONS)
      this.#facts.load()
      this.#ledger.load(this.#wokeAt)
      this.#days.load()
      this.#alarmAt = await ctx.storage.getAlarm()
    })
  }

  /**
   * Checks key, tenant, rate and quota and reserves the tokens, in one step without a wait in between. What earlier turns
   * used comes along (`settled`) and is booked shortly after the answer. It is booked before the answer where it decides:
   * under a daily ceiling of the user, and before a refusal for lack of tokens, when the spaces with unsettled turns are
   * asked as well.
   */
  async admit(request: AdmitRequest): Promise<AdmitResult> {
    const { settled = [], space, days = [] } = request
    if (space) this.#soon.add(space.tenantId, settled)
    // `bookNow` does its work before its first await, so this books before `#admit` looks; a failure of either is this call's.
    const [, answer] = await Promise.all([
      days.length > 0 ? this.#soon.bookNow() : null,
      this.#admit(request),
    ])
    return { ...answer, booked: this.#soon.bookedOf(settled) }
  }

  async #admit(request: AdmitRequest): Promise<Admission> {
    const now = Date.now()
    const refusal = this.#facts.refusal(request.keyId)
    if (refusal) return { ok: false, ...refusal }
    const rate = this.#windows.take(request.windows, now)
    if (!rate.ok) return { ok: false, reason: 'rate', retryAfterS: rate.retryAfterS }
    const answer = this.#reserveFor(request, now)
    if (answer.ok) return answer
    await this.#collect()
    const again = this.#reserveFor(request, Date.now())
    const { tenantId } = this.#facts
    if (!again.ok && again.reason === 'quota' && tenantId !== null)
      await this.#warnings.tellOrLog(tenantId, this.#limit, now, true)
    return again
  }

  #reserveFor(request: AdmitRequest, now: number): Admission {
    const { days = [], space } = request
    if (days.length > 0) this.#days.forget((id) => this.#ledger.isReserved(id, now))
    const fullUntil = this.#days.fullUntil(days, now)
    if (fullUntil === 'running') return FREE_SOON
    if (fullUntil !== null) {
      const retryAfterS = Math.ceil((fullUntil - now) / 1000)
      return { ok: false, reason: 'user_quota', retryAfterS }
    }
    const { id, tokens, expiresAt, ceiling } = request
    if (space) this.#ledger.waiting.note(space, now)
    if (!this.#reserve(id, tokens, expiresAt, ceiling, now, space !== undefined)) {
      if (!this.#isUsedUp(tokens, now)) return FREE_SOON
      return { ok: false, reason: 'quota', retryAfterS: Math.ceil((nextMonth(now) - now) / 1000) }
    }
    this.#days.begin(id, days, tokens, now)
    const mayWait = space !== undefined && days.length === 0 && this.#ledger.mayWait(id, space, now)
    // Nothing may be booked for a long time, but the alarm and reports need the tenant's id.
    if (mayWait) this.#facts.noteTenant(space.tenantId)
    return { ok: true, listens: this.#facts.listens, mayWait }
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
    isTurn = false,
  ): boolean {
    this.#limit = this.#facts.ceilingOr(ceiling)
    return this.#ledger.reserve(id, tokens, expiresAt, this.#limit, now, isTurn)
  }

  /**
   * Ends a reservation and books what was used, once per id: a repeat changes nothing. An expired reservation is booked
   * all the same, because the tokens were spent. Without entries it only releases what was reserved.
   * @param health whether the model that was called did well, for the tenant's list of models
   */
  async settle(
    tenantId: string,
    id: string,
    entries: UsageEntry[],
    health: ModelHealth | null = null,
  ): Promise<void> {
    const now = Date.now()
    if (!this.#book(tenantId, { turn: id, settle: entries, endedAt: now, health })) return
    await this.#armFlush(now)
    await this.#warnings.tell(tenantId, this.#limit, now)
  }

  /** @returns whether this booked any usage; false for a repeat and for a release. */
  #book(tenantId: string, { turn: id, settle: entries, endedAt, health }: Settlement): boolean {
    const now = Date.now()
    if (this.#ledger.isSettled(id, entries, now)) return false
    this.#facts.noteTenant(tenantId)
    if (health) this.#facts.noteModel(health, now)
    // Rows of past hours are in D1 already: usage that comes late counts in the last hour at the earliest.
    const at = Math.min(now, Math.max(endedAt, now - HOUR_MS))
    this.ctx.storage.transactionSync(() => {
      this.#ledger.settle(id, entries, now, at)
      this.#days.book(id, entries, now)
    })
    return entries.length > 0
  }

  /** Usage that came with admissions was booked. */
  async #tellBooked(tenantId: string): Promise<void> {
    const now = Date.now()
    await this.#armFlush(now)
    await this.#warnings.tellOrLog(tenantId, this.#limit, now)
  }

  /** Books all turns that are over, asking the spaces that have not reported yet: before figures are given, or a refusal. */
  async #collect(): Promise<void> {
    await this.#soon.bookNow()
    const { tenantId } = this.#facts
    if (tenantId === null) return
    const now = Date.now()
    this.#ledger.waiting.forget((id) => this.#ledger.isReserved(id, now))
    await this.#ledger.waiting.collect(this.env, tenantId)
  }

  /** Whether so many tokens would not fit below the ceiling even if nothing else ran. */
  #isUsedUp(tokens: number, now: number): boolean {
    return this.#ledger.used(now) + tokens > (this.#limit ?? Number.POSITIVE_INFINITY)
  }

  /** What is known of the tenant's models from their last calls, the latest first. */
  async models(): Promise<KnownModel[]> {
    await this.#collect()
    return [...this.#facts.models]
  }

  /** Counts one call in every window, or in none when one is full. */
  async take(windows: WindowRule[]): Promise<Taken> {
    return (this.#address ?? this.#windows).take(windows, Date.now())
  }

  /** What a management write changed: effective from the next admission. */
  async push(facts: MeterFacts): Promise<void> {
    this.#facts.push(facts)
  }

  /** Takes from a caller's read of D1 whether a webhook listens to turns; ignored where a write has told the meter. */
  async learnListens(listens: boolean): Promise<void> {
    this.#facts.noteListens(listens)
  }

  /** From now on no call of this key is admitted. */
  async revokeKey(id: string): Promise<void> {
    this.#facts.revokeKey(id)
  }

  /** Why the key or the tenant may not act, or null: what an open stream asks once per ping. */
  async refusal(keyId: string | null): Promise<Refusal | null> {
    return this.#facts.refusal(keyId)
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
      suspended: this.#facts.refusal(null) !== null,
      revoked: this.#facts.revokedOf(keyIds),
    }
  }

  async closeStream(userId: string, streamId: string): Promise<void> {
    this.#streams.close(userId, streamId)
  }

  async quota(ceiling: number | null): Promise<QuotaSnapshot> {
    await this.#collect()
    const now = Date.now()
    return quotaSnapshot(this.#ledger.used(now), this.#facts.ceilingOr(ceiling), now)
  }

  /** Writes changed hourly rows and who was seen to D1 now, so that a report or a list that follows is exact. */
  async flush(tenantId: string): Promise<void> {
    this.#facts.noteTenant(tenantId)
    await this.#collect()
    await this.#usage.flush(tenantId)
    await this.#usage.noteSeen(tenantId, Date.now())
  }

  async #armFlush(now: number): Promise<void> {
    if (this.#alarmAt !== null && this.#alarmAt > now) return
    this.#alarmAt = now + FLUSH_DELAY_MS
    await this.ctx.storage.setAlarm(this.#alarmAt)
  }

  override async alarm(): Promise<void> {
    const now = Date.now()
    if (this.#address) return this.#address.alarm(now)
    this.#alarmAt = null
    await this.#soon.bookNow()
    this.#ledger.purge(now)
    this.#windows.purge(now)
    this.#days.purge(now)
    const { tenantId } = this.#facts
    const done =
      tenantId === null ||
      ((await this.#usage.flush(tenantId)) &&
        // Who was seen in the running hour is written only for a report: a turn a minute would rewrite it all the time.
        (await this.#usage.noteSeen(tenantId, now - HOUR_MS)))
    this.#usage.purge(now, now - this.#wokeAt < FLUSH_DELAY_MS)
    if (!done) await this.#armFlush(Date.now())
  }
}
