/** One change of an agent's enrollments at a time: a turn, the clock or a migration. */
export class AgentLocks {
  readonly #held = new Map<string, Promise<void>>()
  readonly #releases = new Map<string, () => void>()

  /** Waits for its turn. @param holder whoever `release` names; a second time it has it already. */
  async take(agentId: string, holder: string): Promise<void> {
    if (this.#releases.has(holder)) return
    let free = () => {}
    const mine = new Promise<void>((resolve) => {
      free = resolve
    })
    const before = this.#held.get(agentId)
    const whole = (before ?? Promise.resolve()).then(() => mine)
    this.#held.set(agentId, whole)
    this.#releases.set(holder, () => {
      free()
      if (this.#held.get(agentId) === whole) this.#held.delete(agentId)
    })
    await before
  }

  isHeld(agentId: string): boolean {
    return this.#held.has(agentId)
  }

  release(holder: string): void {
    this.#releases.get(holder)?.()
    this.#releases.delete(holder)
  }
}
