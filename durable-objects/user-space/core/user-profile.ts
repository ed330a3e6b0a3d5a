import { NO_FACTS, readUserFacts, type UserFacts } from '../../../src/users/user-facts'
import type { SpaceCore } from './space-core'
import type { SpaceKeys } from './space-keys'

/** What the user told of themselves: read from the directory once, kept sealed, and read again when it changed. */
export class UserProfile {
  readonly #core: SpaceCore
  #facts: Promise<UserFacts> | null = null
  #told: UserFacts | null = null
  #changes = 0

  constructor(core: SpaceCore) {
    this.#core = core
  }

  /** What is known of a user who was just made, unless it changed on the way here. */
  learn(facts: UserFacts): void {
    if (this.#changes === 0) this.#told = facts
  }

  /** Nothing of a user that several people share. */
  async facts(keys: SpaceKeys): Promise<UserFacts> {
    if (!this.#core.address || this.#core.isShared) return NO_FACTS
    this.#facts ??= this.#read(keys).catch((error: unknown) => {
      this.#facts = null
      throw error
    })
    return this.#facts
  }

  async #read(keys: SpaceKeys): Promise<UserFacts> {
    const { env, stores } = this.#core
    const sealed = stores.facts.get('profile')
    const opened = sealed && (await keys.read('facts', 'value', 'profile', sealed))
    if (opened) {
      const known: Partial<UserFacts> = JSON.parse(opened)
      // What was kept before there was a field lacks it: read anew.
      if (Object.keys(NO_FACTS).every((name) => name in known)) return { ...NO_FACTS, ...known }
    }
    const changes = this.#changes
    const { address, wrappedTenantKey } = this.#core.callerHere()
    const tenant = { id: address.tenantId, wrappedKey: wrappedTenantKey }
    const facts = this.#told ?? (await readUserFacts(env, tenant, address.userId))
    const kept = await keys.seal('facts', 'value', 'profile', JSON.stringify(facts))
    if (changes === this.#changes && !this.#core.isClosed) stores.facts.set('profile', kept)
    return facts
  }

  /** The user changed it: the next turn reads it anew. */
  forget(): void {
    this.#changes++
    this.#facts = null
    this.#told = null
    if (!this.#core.isGone) this.#core.stores.facts.drop('profile')
  }
}
