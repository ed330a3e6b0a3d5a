import type { WindowRule } from '../../src/usage/windows'
import { migrate } from '../migrate'
import { isBrief, KEPT_MS, RateWindows, type Taken } from './rate-windows'
import { METER_MIGRATIONS } from './schema'

/**
 * Rate windows of one address. Anybody has many, so it leaves nothing behind: storage is taken for a window that memory
 * does not keep, and given back when the last has been over for long.
 */
export class AddressWindows {
  readonly #storage: DurableObjectStorage
  readonly #windows: RateWindows

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    this.#windows = new RateWindows(storage.sql)
  }

  async take(rules: WindowRule[], now: number): Promise<Taken> {
    if (rules.every(isBrief)) return this.#windows.take(rules, now)
    migrate(this.#storage, METER_MIGRATIONS)
    const taken = this.#windows.take(rules, now)
    if ((await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(now + KEPT_MS)
    return taken
  }

  async alarm(now: number): Promise<void> {
    if (this.#windows.purge(now)) await this.#storage.deleteAll()
    else await this.#storage.setAlarm(now + KEPT_MS)
  }
}
