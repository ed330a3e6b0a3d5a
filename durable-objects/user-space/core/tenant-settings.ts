import type { SpaceCaller } from '../../../src/spaces/caller'
import type { FactStore } from './fact-store'

/** What the last caller knew of the tenant, for work that no caller waits for. */
export class TenantSettings {
  readonly #facts: FactStore
  #privacy = false
  #byok: string | null = null
  #at = 0

  constructor(facts: FactStore) {
    this.#facts = facts
  }

  open(): void {
    this.#privacy = this.#facts.get('privacy') === 'true'
    this.#byok = this.#facts.get('byok') || null
    this.#at = Number(this.#facts.get('settings_at') ?? 0)
  }

  /** Whether no vectors are kept. */
  get privacy(): boolean {
    return this.#privacy
  }

  /** The tenant's own model, sealed; null for the platform's. */
  get byok(): string | null {
    return this.#byok
  }

  /** A caller's copy of the tenant may be some seconds old: an older word does not undo a newer one. */
  note({ privacy, byok, settingsAt = 0 }: SpaceCaller): void {
    if (settingsAt < this.#at) return
    this.#set(privacy ?? this.#privacy, byok === undefined ? this.#byok : byok, settingsAt)
  }

  /** No vectors are kept from now on, whatever callers say that read the tenant before. */
  enterPrivacy(settingsAt: number): void {
    if (settingsAt < this.#at && !this.#privacy) return
    this.#set(true, this.#byok, Math.max(settingsAt, this.#at))
    this.#facts.set('settings_at', String(this.#at))
  }

  #set(privacy: boolean, byok: string | null, settingsAt: number): void {
    this.#at = settingsAt
    if (privacy === this.#privacy && byok === this.#byok) return
    this.#facts.set('settings_at', String(settingsAt))
    if (privacy !== this.#privacy) this.#facts.set('privacy', String(privacy))
    if (byok !== this.#byok) this.#facts.set('byok', byok ?? '')
    this.#privacy = privacy
    this.#byok = byok
  }
}
