import { LIMITS } from '../../../src/config/limits'
import type { FactStore } from './fact-store'

/** Twice as long as an isolate remembers what a space offers. */
const WITHDRAWN_MS = 2 * LIMITS.cacheTtlMs

/** What the object knows better of agents than callers whose isolate read them some seconds ago. */
export class KnownAgents {
  readonly #facts: FactStore
  /** New names, by id and old name, for turns that know the old one. */
  readonly #renamed = new Map<string, string>()

  constructor(facts: FactStore) {
    this.#facts = facts
  }

  /**
   * The space offers an agent no longer (a time), or again (null). Callers that read what it offers before are refused until
   * they read anew.
   */
  withdraw(agentId: string, at: number | null): void {
    const name = `withdrawn ${agentId}`
    if (at !== null) this.#facts.set(name, String(at))
    else if (this.#facts.get(name) !== null) this.#facts.drop(name)
  }

  isWithdrawn(agentId: string, now: number): boolean {
    const at = this.#facts.get(`withdrawn ${agentId}`)
    return at !== null && now < Number(at) + WITHDRAWN_MS
  }

  noteRename({ agentId, from, to }: { agentId: string; from: string; to: string }): void {
    this.#renamed.delete(`${agentId} ${to}`)
    this.#renamed.set(`${agentId} ${from}`, to)
  }

  /** What an agent is called by now. */
  nameOf({ id, name }: { id: string; name: string }): string {
    let known = name
    for (let next = this.#renamed.get(`${id} ${known}`); next !== undefined; ) {
      known = next
      next = this.#renamed.get(`${id} ${known}`)
    }
    return known
  }
}
