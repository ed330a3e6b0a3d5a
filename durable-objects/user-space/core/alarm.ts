/** The object has one alarm: the earliest time that any part asked for wins, also one that is overdue. */
export class Alarm {
  readonly #storage: DurableObjectStorage
  #at: number | null = null

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
    await this.#storage.setAlarm(earliest)
  }

  fired(): void {
    this.#at = null
  }
}
