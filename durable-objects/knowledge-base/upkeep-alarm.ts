import { KNOWLEDGE } from '../../src/config/limits'

/**
 * The alarm of a base. Upkeep is due `upkeepDelayMs` after the last change, so that an import of many documents is tidied
 * up once. Setting an alarm costs a written row, so an alarm that will fire too early is left, and sets the next.
 */
export class UpkeepAlarm {
  readonly #storage: DurableObjectStorage
  /** When the alarm fires; 0 where this instance has set none. */
  #at = 0
  #dueAt = 0

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Something was written: upkeep is due later. */
  async changed(): Promise<void> {
    const now = Date.now()
    this.#dueAt = now + KNOWLEDGE.upkeepDelayMs
    const comesBefore = this.#at >= now && this.#at <= this.#dueAt
    if (!comesBefore) await this.set(this.#dueAt)
  }

  /** The alarm fired. @returns whether upkeep is due; if not, the alarm is set again. */
  async fired(): Promise<boolean> {
    this.#at = 0
    if (this.#dueAt <= Date.now()) return true
    await this.set(this.#dueAt)
    return false
  }

  async set(time: number): Promise<void> {
    this.#at = time
    await this.#storage.setAlarm(time)
  }

  async remove(): Promise<void> {
    this.#at = 0
    await this.#storage.deleteAlarm()
  }
}
