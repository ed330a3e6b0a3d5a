import type { SpaceIdentity } from '../../../src/context'
import type { TurnRefusal } from '../../../src/spaces/caller'

export type Access = 'read' | 'write'

/**
 * Whether a space may be read and changed. While it is being merged into another one it may only be read; after that it
 * only tells where it went (`moved`). Every change runs inside `during`, so that a merge can wait for those under way.
 */
export class Freeze {
  #isFrozen = false
  #movedTo: SpaceIdentity | null = null
  #running = 0
  /** To be woken when no change is under way. */
  readonly #quiet = new Set<() => void>()
  /** To be woken when a merge is over. */
  readonly #settled = new Set<() => void>()

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  get movedTo(): SpaceIdentity | null {
    return this.#movedTo
  }

  /** Why this access is refused now, or null. */
  refusal(access: Access): TurnRefusal | null {
    if (this.#movedTo) return { reason: 'moved', to: this.#movedTo }
    return this.#isFrozen && access === 'write' ? { reason: 'merging' } : null
  }

  /** Runs work that may change something, and counts it for `drained`. Refuses nothing: whoever calls asks `refusal`. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1
    try {
      return await work()
    } finally {
      this.#running -= 1
      if (this.#running === 0) wakeAll(this.#quiet)
    }
  }

  begin(): void {
    this.#isFrozen = true
  }

  /** The merge is over. @param movedTo the space that took everything; null when it was called off */
  end(movedTo: SpaceIdentity | null): void {
    this.#isFrozen = false
    this.#movedTo = movedTo
    wakeAll(this.#settled)
  }

  /** Resolves when no merge is under way. */
  async settled(): Promise<void> {
    while (this.#isFrozen) await new Promise<void>((resume) => this.#settled.add(resume))
  }

  /** Waits for the changes under way. @returns whether all of them ended in time */
  async drained(withinMs: number): Promise<boolean> {
    if (this.#running === 0) return true
    return new Promise((resolve) => {
      const finish = (isQuiet: boolean) => {
        clearTimeout(timer)
        this.#quiet.delete(resume)
        resolve(isQuiet)
      }
      const resume = () => finish(true)
      const timer = setTimeout(() => finish(false), withinMs)
      this.#quiet.add(resume)
    })
  }
}

function wakeAll(waiting: Set<() => void>): void {
  const all = [...waiting]
  waiting.clear()
  for (const resume of all) resume()
}
