const MAX_ENTRIES = 10_000

/** A small cache of one isolate: entries live `ttlMs`, and the whole is emptied when it grows too large. */
export class ExpiringMap<V> {
  readonly #ttlMs: number
  readonly #entries = new Map<string, { value: V; until: number }>()

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs
  }

  get(key: string, now: number): V | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.until > now ? entry.value : undefined
  }

  set(key: string, value: V, now: number): void {
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.clear()
    this.#entries.set(key, { value, until: now + this.#ttlMs })
  }

  clear(): void {
    this.#entries.clear()
  }
}
