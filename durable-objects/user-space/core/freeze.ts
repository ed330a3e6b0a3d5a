import type { SpaceIdentity } from '../../../src/context'
import type { TurnRefusal } from '../../../src/spaces/caller'

export type Access = 'read' | 'write'

/**
 * Whether a space may change. While it is being merged it may be read alone; once it went over to another one it only says
 * where. Every change runs inside `during`, so that a merge can wait for those under way.
 */
export class Freeze {
  #isFrozen = false
  #movedTo: SpaceIdentity | null = null
  #running = 0
  readonly #quiet = new Set<() => void>()
  readonly #settled = new Set<() => void>()

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  get movedTo(): SpaceIdentity | null {
    return this.#movedTo
  }

  refusal(access: Access): TurnRefusal | null {
    if (this.#movedTo) return { reason: 'moved', to: this.#movedTo }
    return this.#isFrozen && access === 'write' ? { reason: 'merging' } : null
  }

  /** Counts work that may change something. What comes after `begin` has to look at `refusal` itself. */
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

  /** The merge is over: the space is what it was, or has gone over to another one. */
  end(movedTo: SpaceIdentity | null): void {
    this.#isFrozen = false
    this.#movedTo = movedTo
    wakeAll(this.#settled)
  }

  /** Resolves when no merge is under way. */
  async settled(): Promise<void> {
    while (this.#isFrozen) await new Promise<void>((resume) => this.#settled.add(resume))
  }

  /** @returns whether all changes under way ended in time. */
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
