import { createLog } from '../../src/log'
import type { Settlement } from '../../src/usage/meter-types'

/** What comes with admissions within this time is booked by one commit. */
const SOON_MS = 250
/** How many booked turns are remembered, to confirm them to their spaces at the next admission. */
const MOST_KNOWN = 1000

/**
 * Usage of earlier turns that came along with an admission, booked a moment after the answer. (An object's answer waits
 * until its writes are on disk, so a write beside the answer would delay the new turn.) If the meter loses its memory in
 * between nothing is lost: a space reports a turn again until it hears that it is booked.
 */
export class SoonBooked {
  readonly #book: (tenantId: string, settled: Settlement) => boolean
  readonly #tell: (tenantId: string) => Promise<void>
  readonly #waiting = new Map<string, Settlement>()
  readonly #known = new Set<string>()
  #tenantId = ''
  #timer: ReturnType<typeof setTimeout> | null = null

  /** @param book books one and says whether it was new @param tell runs after new ones were booked */
  constructor(
    book: (tenantId: string, settled: Settlement) => boolean,
    tell: (tenantId: string) => Promise<void>,
  ) {
    this.#book = book
    this.#tell = tell
  }

  add(tenantId: string, settled: readonly Settlement[]): void {
    this.#tenantId = tenantId
    for (const one of settled) if (!this.#known.has(one.turn)) this.#waiting.set(one.turn, one)
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.#bookInTime(), SOON_MS)
  }

  /** Ids of those turns that are booked. */
  bookedOf(settled: readonly Settlement[]): string[] {
    return settled.flatMap(({ turn }) => (this.#known.has(turn) ? [turn] : []))
  }

  /** Books all that waits, before its first await: for callers who then read the sums. */
  async bookNow(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const settled = [...this.#waiting.values()]
    this.#waiting.clear()
    let isNew = false
    for (const one of settled) {
      isNew = this.#book(this.#tenantId, one) || isNew
      this.#known.add(one.turn)
    }
    for (const oldest of this.#known) {
      if (this.#known.size <= MOST_KNOWN) break
      this.#known.delete(oldest)
    }
    if (isNew) await this.#tell(this.#tenantId)
  }

  /** From the timer. What fails comes again with a later admission. */
  async #bookInTime(): Promise<void> {
    await this.bookNow().catch((error: unknown) =>
      createLog('tenant-meter', { tenant_id: this.#tenantId }).error('not_booked', error),
    )
  }
}
