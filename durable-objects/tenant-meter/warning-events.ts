import { createLog } from '../../src/log'
import { sendJobs } from '../../src/platform/queue'
import { isAmple, quotaSnapshot } from '../../src/usage/quota'
import { warningsDue } from '../../src/usage/quota-warnings'
import type { TenantFacts } from './tenant-facts'
import type { TokenLedger } from './token-ledger'

/** Tells webhooks once a month of each share of the ceiling that is reached. */
export class WarningEvents {
  readonly #env: Env
  readonly #facts: TenantFacts
  readonly #ledger: TokenLedger

  constructor(env: Env, facts: TenantFacts, ledger: TokenLedger) {
    this.#env = env
    this.#facts = facts
    this.#ledger = ledger
  }

  /**
   * The note that it was told is written after the message: a crash in between repeats an event with the same key, which is
   * delivered once.
   * @param limit tokens a month, null for no ceiling, undefined as long as nobody said
   * @param full whether the ceiling counts as reached, as a turn was refused for lack of tokens
   * @throws Error when the queue does not take the event
   */
  async tell(
    tenantId: string,
    limit: number | null | undefined,
    now: number,
    full = false,
  ): Promise<void> {
    if (limit == null) return
    const used = this.#ledger.used(now)
    if (isAmple(used, limit)) return
    const snapshot = quotaSnapshot(used, limit, now)
    const { period } = snapshot
    for (const { key, percent } of warningsDue(snapshot, full, this.#facts.warned)) {
      const event = { type: 'quota.warning', key, data: { period, percent }, at: now } as const
      await sendJobs(this.#env, [{ type: 'event.emit', tenantId, event }])
      this.#facts.noteWarned(key)
    }
  }

  /** `tell` where a webhook that cannot be told changes nothing: of usage that is booked, and of a turn that was refused. */
  async tellOrLog(...of: Parameters<WarningEvents['tell']>): Promise<void> {
    await this.tell(...of).catch((error: unknown) =>
      createLog('tenant-meter', { tenant_id: of[0] }).error('quota_warning_failed', error),
    )
  }
}
