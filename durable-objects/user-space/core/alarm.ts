/**
 * The object has one alarm: the earliest time that any part asked for wins, also one that is overdue. While its work runs,
 * what is asked for is only noted: a later alarm set half-way would be all that is left should the process die there, but
 * one that has set none is woken again at once.
 */
export class Alarm {
  readonly #storage: DurableObjectStorage
  #at: number | null = null
  #isWorking = false

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  async open(): Promise<void> {
    this.#at = await this.#storage.getAlarm()
  }

  async wakeAt(time: number): Promise<void> {
    const earliest = Math.min(time, this.#at ?? time)
    if (this.#at === earliest && earliest > Date.now()) return
    this.#at = earliest
    if (!this.#isWorking) await this.#storage.setAlarm(earliest)
  }

  /** Does what the alarm fired for, and only then sets the next one. */
  async during(work: () => Promise<void>): Promise<void> {
    this.#at = null
    this.#isWorking = true
    try {
      await work()
    } catch (error) {
      // The runtime comes again by itself.
      this.#at = null
      throw error
    } finally {
      this.#isWorking = false
    }
    if (this.#at !== null) await this.#storage.setAlarm(this.#at)
  }

  /** None is to come any more; also not what was asked for so far. */
  async remove(): Promise<void> {
    this.#at = null
    await this.#storage.deleteAlarm()
  }
}
