/**
 * The one alarm that an object has, shared by all its parts: the earliest time that any of them asked for wins. While the
 * alarm's own work runs, times are only noted and set at its end. If the process dies in between, the runtime repeats the
 * alarm at once; had a later one been set already, that would be all that is left.
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

  /** Cancels the alarm and all that was asked for so far. */
  async remove(): Promise<void> {
    this.#at = null
    await this.#storage.deleteAlarm()
  }
}
