import { KNOWLEDGE } from '../../src/config/limits'

/** The alarm of a base: some time after the last change, so that an import of many documents is tidied up once. */
export class UpkeepAlarm {
  readonly #storage: DurableObjectStorage
  /** When it comes, as far as this instance set it. */
  #at = 0
  #dueAt = 0

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Moves upkeep on. An alarm that comes before it stays, and sets the next: setting one is a row. */
  async changed(): Promise<void> {
    const now = Date.now()
    this.#dueAt = now + KNOWLEDGE.upkeepDelayMs
    const comesBefore = this.#at >= now && this.#at <= this.#dueAt
    if (!comesBefore) await this.set(this.#dueAt)
  }

  /** @returns false when it fired before upkeep is due; it then comes again. */
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
