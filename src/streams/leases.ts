/** The open streams of a tenant's users, as a lease each: whoever no longer renews one has gone. In memory only; renewals restore it. */
export class StreamLeases {
  readonly #byUser = new Map<string, Map<string, number>>()

  /** @returns false when the user holds as many as allowed. */
  open(userId: string, streamId: string, limit: number, now: number, until: number): boolean {
    const held = this.#live(userId, now)
    if (held.size >= limit && !held.has(streamId)) return false
    held.set(streamId, until)
    return true
  }

  renew(leases: readonly (readonly [userId: string, streamId: string])[], until: number): void {
    for (const [userId, streamId] of leases) this.#of(userId).set(streamId, until)
  }

  close(userId: string, streamId: string): void {
    const held = this.#byUser.get(userId)
    held?.delete(streamId)
    if (held?.size === 0) this.#byUser.delete(userId)
  }

  /** Forgets what has run out. */
  sweep(now: number): void {
    for (const userId of this.#byUser.keys()) {
      if (this.#live(userId, now).size === 0) this.#byUser.delete(userId)
    }
  }

  #live(userId: string, now: number): Map<string, number> {
    const held = this.#of(userId)
    for (const [streamId, until] of held) if (until <= now) held.delete(streamId)
    return held
  }

  #of(userId: string): Map<string, number> {
    const held = this.#byUser.get(userId) ?? new Map<string, number>()
    this.#byUser.set(userId, held)
    return held
  }
}
